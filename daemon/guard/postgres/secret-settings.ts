/**
 * Settings of a server that may hold a password. If a statement may show any setting, the catalog
 * is asked whether they do.
 */

export const secretSettings: readonly string[] = ['primary_conninfo', 'ssl_passphrase_command'];

export function isSecretSetting(name: string): boolean {
  return secretSettings.includes(name.toLowerCase());
}
