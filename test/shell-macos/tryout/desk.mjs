/**
 * Sallyport.app on the screen: it finds the windows that the app has there, presses its buttons,
 * opens its menus and quits it.
 */

import { spawnSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { asked, ran, undo } from './commands.mjs';

const source = fileURLToPath(new URL('desktop.swift', import.meta.url));
/** Of `CGWindowLevel`: what opens from a menu bar. */
const menuLayer = 101;
/** The menu bar's item is a window, too. */
const leastHeight = 60;
const pollMilliseconds = 250;

/**
 * The middle of an item of the app's own menu bar (1) or of its part of the menu bar's right (2).
 */
const placing = `on run {processId, bar, item}
  tell application "System Events"
    set theProcess to first process whose unix id is (processId as integer)
    set theItem to menu bar item (item as integer) of menu bar (bar as integer) of theProcess
    set {x, y} to position of theItem
    set {width, height} to size of theItem
  end tell
  return ((x + width div 2) as text) & " " & ((y + height div 2) as text)
end run`;

/** Opens the pane of that number in Settings, and says what the window is called then. */
const choosingPane = `on run {processId, pane}
  tell application "System Events"
    set theProcess to first process whose unix id is (processId as integer)
    if (count of (windows of theProcess whose name is not "" and (count of toolbars) > 0)) is 0 then
      set frontmost of theProcess to true
      keystroke "," using command down
      delay 2
    end if
    set theWindow to first window of theProcess whose (count of toolbars) > 0
    click button (pane as integer) of toolbar 1 of theWindow
    delay 1
    return name of theWindow
  end tell
end run`;

const escaping = 'tell application "System Events" to key code 53';

export async function openDesk(app, folder) {
  const contents = join(app, 'Contents');
  const desktop = join(folder, 'desktop');
  const reported = join(folder, 'report.txt');
  rmSync(reported, { force: true });
  // If the tryout is given up, nothing of the app stays.
  undo(() => {
    const { stdout } = spawnSync('pgrep', ['-f', `${contents}/`], { encoding: 'utf8', timeout: 5_000 });
    for (const line of stdout.split('\n').filter(Boolean)) process.kill(Number(line), 'SIGKILL');
  });
  await ran('swiftc', ['-O', source, '-o', desktop], { seconds: 180 });
  const script = (text, ...words) => ran('osascript', ['-e', text, ...words.map(String)], { seconds: 40 });

  const id = async () => (await asked('pgrep', ['-f', `${contents}/MacOS/Sallyport`])).split('\n')[0];
  /** What is on the screen, of the app or of another process. */
  async function onScreen(process) {
    const lines = (await ran(desktop, ['windows', process ?? (await id())])).split('\n').filter(Boolean);
    return lines.map(line => {
      const [number, layer, width, height] = line.split(' ').map(Number);
      return { number, layer, width, height };
    });
  }
  const windows = async process =>
    (await onScreen(process)).filter(({ layer, height }) => layer < menuLayer && height > leastHeight);
  const menus = async () => (await onScreen()).filter(({ layer }) => layer === menuLayer);

  function report(line) {
    process.stdout.write(`${line}\n`);
    appendFileSync(reported, `${line}\n`);
  }

  const desk = {
    report,
    windows,

    /** Process ids and commands of what runs from the bundle. */
    async running() {
      return (await asked('pgrep', ['-fl', `${contents}/`])).split('\n').filter(Boolean);
    },

    /** @throws if it doesn't come within the seconds. */
    async until(what, isSo, seconds = 30) {
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end) {
        const found = await isSo();
        if (found) return found;
        await sleep(pollMilliseconds);
      }
      throw new Error(`never came: ${what}`);
    },

    /** A picture of each window that is open, and of the whole screen. */
    async picture(name) {
      const open = await windows();
      for (const { number } of open)
        await asked('screencapture', ['-x', '-o', '-l', String(number), join(folder, `${name}-${number}.png`)]);
      await asked('screencapture', ['-x', join(folder, `${name}-screen.png`)]);
      report(`  ${name}: ${open.map(({ width, height }) => `${width} x ${height}`).join(', ') || 'no window'}`);
      return open;
    },

    /** @param act brings a window, and its picture is taken. */
    async oneMoreWindow(name, act) {
      const before = (await windows()).length;
      await act();
      await desk.until('one more window', async () => (await windows()).length > before);
      return desk.picture(name);
    },

    /**
     * Presses the button once it is there, and again until that has its effect: for a moment after
     * it opens, a sheet is deaf.
     */
    async press(label, hasEffect, seconds = 60) {
      const pressed = async () => {
        if (await hasEffect()) return true;
        await ran(desktop, ['press', await id(), label], { seconds: 40 });
        await sleep(1_000);
        return hasEffect();
      };
      await desk.until(`what ${label} does`, pressed, seconds);
    },

    /**
     * With the mouse, as a person does. A menu that is dead to the mouse may still open to other
     * programs.
     */
    async openMenu(name, bar, item) {
      const [x, y] = (await script(placing, await id(), bar, item)).trim().split(' ');
      await ran(desktop, ['click', x, y]);
      const [menu] = await desk.until('an open menu', async () => {
        const open = await menus();
        return open.length > 0 && open;
      });
      await desk.picture(name);
      await script(escaping);
      return menu;
    },

    pane: async number => (await script(choosingPane, await id(), number)).trim(),

    async quit() {
      await ran(desktop, ['quit', await id()]);
      await desk.until('the end of all that runs out of the app', async () => (await desk.running()).length === 0);
    },

    /** A picture of the screen after a step failed. */
    screen: name => asked('screencapture', ['-x', join(folder, `${name}.png`)]),
    fullScreenApp: [desktop, ['full-screen']],
  };
  return desk;
}
