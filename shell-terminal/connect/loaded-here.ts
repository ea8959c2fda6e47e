/**
 * Reads the files by which a client decides whether it starts Sallyport's entry. Changes nothing.
 */

import { placesOf, serversPlaces } from '../../shared/client-files.ts';
import { textOf } from '../doctor/client-text.ts';
import type { Looking } from '../past/entries.ts';
import { valueIn } from './merge.ts';
import { filesBeside, notLoaded } from './not-loaded.ts';

/** Sentences; none if the client starts it, as far as its files say. */
export function notLoadedHere(client: string, isProject: boolean, looking: Looking): readonly string[] {
  const { userHome, environment, cwd } = looking;
  const [place] = serversPlaces(userHome, environment).filter(one => one.client === client);
  if (place === undefined) return [];
  const valueAt = (path: string | null): unknown => {
    const text = path === null ? null : textOf(path);
    return text === null ? null : valueIn(text.replace(/^\uFEFF/, ''), place.format);
  };
  const beside = placesOf(filesBeside[client] ?? [], userHome, environment, cwd).map(valueAt);
  return notLoaded({ client, title: place.title, isProject, folder: cwd, user: valueAt(place.path), beside });
}
