/**
 * The files of `sallyport service`, checked by readers of their formats: systemd's own checker, and
 * a reader of property lists.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { agentLabel, launchAgent } from '../../shell-terminal/service/launch-agent.ts';
import { systemdUnit, unitName } from '../../shell-terminal/service/systemd-unit.ts';
import { missingPrograms, needs } from '../needs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync('/tmp/sallyport-service-files-');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { test: testUnit } = needs(missingPrograms(['systemd-analyze'], 'sh test/install/systemd.sh'));
for (const name of ['sallyportd', 'sally "port" $d %h', "it's"]) {
  testUnit(`systemd finds nothing wrong with the unit for ${name}`, () => {
    const program = join(folder, name);
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    const unit = join(folder, unitName);
    writeFileSync(unit, systemdUnit([program]));
    mkdirSync(join(folder, 'run'), { mode: 0o700 });
    const env = { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: join(folder, 'run') };
    const verify = () => {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--user', unit], {
        encoding: 'utf8',
        env,
      });
      // It also checks units of the machine.
      const ours = `${stdout}${stderr}`.split('\n').filter(line => line.includes(unitName));
      return { status, ours };
    };
    expect(verify()).toEqual({ status: 0, ours: [] });
    writeFileSync(unit, systemdUnit([program]).replace('Restart=on-failure', 'Restart=at-a-whim'));
    expect(verify().ours).toEqual([expect.stringContaining('at-a-whim')]);
  });
}

needs(missingPrograms(['python3'], 'apt-get install python3')).test(
  'the LaunchAgent means what it should, with any path',
  () => {
    const program = `/Users/o'brien/My "Apps" & <größe>/sallyportd`;
    const file = join(folder, 'agent.plist');
    writeFileSync(file, launchAgent(['/opt/node', program], '/Users/x/Library/Logs/sallyportd.log'));
    const reader = 'import json, plistlib, sys; print(json.dumps(plistlib.load(open(sys.argv[1], "rb"))))';
    const { stdout, stderr } = spawnSync('python3', ['-c', reader, file], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      Label: agentLabel,
      ProgramArguments: ['/opt/node', program],
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ProcessType: 'Interactive',
      ExitTimeOut: 10,
      Umask: 0o077,
      HardResourceLimits: { Core: 0 },
      WorkingDirectory: '/',
      StandardErrorPath: '/Users/x/Library/Logs/sallyportd.log',
    });
  },
);
