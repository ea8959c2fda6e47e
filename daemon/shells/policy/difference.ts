/**
 * How what a policy file says differs from what holds (spec §6): for each connection what applies
 * at once, since it gives clients no more, and what waits for its person. Every judgement is the
 * one that `connections.save` and `settings.set` make. Changes nothing.
 */

import type { Connection } from '../../access/connection.ts';
import type { PrivilegeIncrease } from '../../access/privilege-increases/increase-words.ts';
import { settingIncrease } from '../../access/privilege-increases/setting-increase.ts';
import { changedSettings } from '../../access/settings/setting-change.ts';
import type { Settings } from '../../access/settings/settings.ts';
import { folded, mostPatterns, wholeSight } from '../../guard/sight.ts';
import { changeConnection } from '../commands/connection-change.ts';
import type { ConnectionSaveParams } from '../commands/connection-fields.ts';
import { saveIncrease } from '../commands/connections-increase.ts';
import type { CommandPorts } from '../ports.ts';
import {
  isFault,
  type Policy,
  type PolicyEntry,
  type PolicyFault,
  type PolicySetting,
  policySettings,
} from './file.ts';
import { judgedTogether, type PolicyKeyName, type PolicyValue, policyKeyNames, policyKeys, sightKeys } from './keys.ts';
import { wantedOf } from './wanted.ts';

export interface ConnectionDifference {
  readonly former: Connection;
  /** Gives clients no more. */
  readonly narrow: ConnectionSaveParams;
  /** All that the file says of it. */
  readonly whole: ConnectionSaveParams;
  /** In `whole`; null if it gives clients no more. */
  readonly increase: PrivilegeIncrease | null;
  readonly changes: readonly KeyChange[];
}

export interface KeyChange {
  readonly key: string;
  readonly from: PolicyValue | null;
  readonly to: PolicyValue | null;
  readonly widens: boolean;
}

export interface SettingDifference {
  readonly key: PolicySetting;
  readonly from: Settings[PolicySetting];
  readonly to: Settings[PolicySetting];
  readonly increase: PrivilegeIncrease | null;
}

export interface PolicyDifference {
  readonly connections: readonly ConnectionDifference[];
  readonly settings: readonly SettingDifference[];
}

export function differenceOf(policy: Policy, ports: CommandPorts, at: number): PolicyDifference | PolicyFault {
  const wanted = wantedOf(policy, ports.connections.list());
  if (isFault(wanted)) return wanted;
  const settings = settingsOf(policy, ports.settings.current());
  if (isFault(settings)) return settings;
  const connections = [...wanted].map(([former, entry]) => connectionOf(former, entry, ports, at));
  return { connections: connections.filter(({ changes }) => changes.length > 0), settings };
}

function connectionOf(former: Connection, entry: PolicyEntry, ports: CommandPorts, at: number): ConnectionDifference {
  const askedOf = (keys: readonly PolicyKeyName[]): ConnectionSaveParams => {
    const parts = keys.map(key => (entry[key] === undefined ? {} : policyKeys[key].asked(entry[key])));
    return Object.assign({ connection: former.id }, ...parts);
  };
  const whole = askedOf(policyKeyNames);
  const next = changed(former, whole, at);
  const differing = policyKeyNames.filter(key => !isSame(policyKeys[key].of(former, at), policyKeys[key].of(next, at)));
  const isIncrease = (asked: ConnectionSaveParams): boolean => saveIncrease(former, asked, ports, at) !== null;
  const parts = judgedTogether.map(keys => {
    const changing = keys.filter(key => differing.includes(key));
    if (changing.length === 0) return {};
    const asked = askedOf(changing);
    if (!isIncrease(asked)) return asked;
    if (keys !== sightKeys) return {};
    const least = { connection: former.id, ...narrowedSight(former, next) };
    return isIncrease(least) ? {} : least;
  });
  const together: ConnectionSaveParams = Object.assign({ connection: former.id }, ...parts);
  // Each alone gives no more; should they together, all of it waits.
  const narrow = isIncrease(together) ? { connection: former.id } : together;
  const between = changed(former, narrow, at);
  const changes = differing.flatMap(key => {
    const [from, half, to] = [former, between, next].map(each => policyKeys[key].of(each, at)) as [
      PolicyValue | null,
      PolicyValue | null,
      PolicyValue | null,
    ];
    return [
      ...(isSame(from, half) ? [] : [{ key, from, to: half, widens: false }]),
      ...(isSame(half, to) ? [] : [{ key, from: half, to, widens: true }]),
    ];
  });
  return { former, narrow, whole, increase: saveIncrease(former, whole, ports, at), changes };
}

function changed(former: Connection, asked: ConnectionSaveParams, at: number): Connection {
  const change = changeConnection(former, asked, former.id, at);
  // The keys of a file concern no place, and nothing else is refused.
  return change.kind === 'changed' ? change.connection : former;
}

/** What both allow, as far as the patterns tell. */
function narrowedSight(former: Connection, next: Connection): Partial<ConnectionSaveParams> {
  const [now, then] = [former.sight ?? wholeSight, next.sight ?? wholeSight];
  const kept = those(then.only, now.only);
  // An empty list would show all.
  const only = now.only.length === 0 ? then.only : kept.length === 0 ? now.only : kept;
  return {
    hide: both(now.hide, then.hide),
    only: [...only],
    show: those(now.show, then.show),
    mask: both(former.masks ?? [], next.masks ?? []),
  };
}

type Patterns = readonly string[];

/** The patterns that `others` has too; with `isThere` false, those that it hasn't. */
function those(patterns: Patterns, others: Patterns, isThere = true): string[] {
  return patterns.filter(pattern => others.some(other => folded(other) === folded(pattern)) === isThere);
}

function both(one: Patterns, other: Patterns): string[] {
  return [...one, ...those(other, one, false)].slice(0, mostPatterns);
}

function settingsOf({ settings: said = {} }: Policy, now: Settings): readonly SettingDifference[] | PolicyFault {
  const found: SettingDifference[] = [];
  let settings = now;
  for (const key of policySettings) {
    // What holds already conflicts with nothing that is new.
    if (said[key] === undefined || said[key] === now[key]) continue;
    const next = changedSettings(settings, key, said[key]);
    if ('refused' in next) return { field: `settings.${key}`, why: next.refused.replace(/\.$/, '') };
    const [from, to] = [now[key], next[key]];
    if (from !== to) found.push({ key, from, to, increase: settingIncrease(key, now, { ...now, [key]: to }) });
    settings = next;
  }
  return found;
}

/** The order and case of patterns say nothing. */
function isSame(one: PolicyValue | null, other: PolicyValue | null): boolean {
  return comparable(one) === comparable(other);
}

function comparable(value: PolicyValue | null): string {
  return JSON.stringify(Array.isArray(value) ? [...new Set(value.map(folded))].toSorted() : value);
}
