/**
 * Settings of a server that may hold a password. The catalog is asked whether they do where a
 * statement may show any setting.
 */

export const secretSettings: readonly string[] = ['primary_conninfo', 'ssl_passphrase_command'];

export function isSecretSetting(name: string): boolean {
  return secretSettings.includes(name.toLowerCase());
}
