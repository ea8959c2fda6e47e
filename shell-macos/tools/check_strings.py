#!/usr/bin/env python3
"""Holds Resources/en.lproj/Localizable.strings against the texts of the app: every literal that SwiftUI or `localized` looks up is a
key there, every other key is a fixed text of ShellRules that the app may hand to `localized`, and each is its own English text.

Usage: check_strings.py [--write], from shell-macos/. --write puts in what is missing and takes out what nothing looks up.
"""
import glob, re, sys

TABLE = 'Resources/en.lproj/Localizable.strings'
TEXT = r'"((?:[^"\\\n]|\\.)*)"'
ENTRY = r'^' + TEXT + r' = ' + TEXT + r';$'
# What takes a key: SwiftUI's views and modifiers with a literal, our own views' titles, and `localized`.
KEYED = re.compile(
    r'(?:\b(?:Text|Button|Toggle|Picker|TextField|SecureField|PathField|LabeledContent|Section|Label|TableColumn|localized)\(\s*'
    r'|\.(?:help|alert|confirmationDialog)\(\s*|\b(?:title|sentence|what|label): )' + TEXT)


def literals(folder, pattern):
    found = {}
    for path in sorted(glob.glob(f'{folder}/**/*.swift', recursive=True)):
        with open(path) as file: text = file.read()
        for match in re.finditer(pattern, text): found.setdefault(match.group(1), path)
    return found


def table():
    with open(TABLE, encoding='utf-8') as file: text = file.read()
    rest = re.sub(ENTRY, '', re.sub(r'/\*.*?\*/', '', text, flags=re.S), flags=re.M).strip()
    if rest: sys.exit(f'{TABLE}: this is no line of a table: {rest[:80]!r}')
    return re.findall(ENTRY, text, re.M)


wanted = literals('Sources/Shell', KEYED)
of_rules = literals('Sources/ShellRules', TEXT)
problems = [f'{path}: a key with an interpolation: "{key}"' for key, path in wanted.items() if '\\(' in key]
if '--write' in sys.argv:
    keys = {key for key, _ in table() if key in wanted or key in of_rules} | {key for key in wanted if '\\(' not in key}
    with open(TABLE, 'w', encoding='utf-8') as file:
        file.write('/* The texts of Sallyport.app: each key is its English text. A translation is a folder like this one. */\n\n')
        for key in sorted(keys, key=str.lower): file.write(f'"{key}" = "{key}";\n')
entries = table()
keys = [key for key, _ in entries]
problems += [f'{path}: "{key}" is not in {TABLE}' for key, path in wanted.items() if key not in keys and '\\(' not in key]
problems += [f'{TABLE}: "{key}" is looked up by nothing' for key in keys if key not in wanted and key not in of_rules]
problems += [f'{TABLE}: "{key}" stands there twice' for key in sorted({key for key in keys if keys.count(key) > 1})]
problems += [f'{TABLE}: "{key}" is not its own English text' for key, text in entries if key != text]
for problem in problems: print(problem)
print(f'{len(entries)} texts, {len(problems)} problems')
sys.exit(bool(problems))
