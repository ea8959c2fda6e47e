#!/usr/bin/env python3
"""Checks that macOS can read each property list, and that each says what the app relies on.

Usage: check_plists.py, from shell-macos/.
"""
import glob, plistlib, re, sys

problems = []


def read(path):
    try:
        with open(path, 'rb') as file: return plistlib.load(file)
    except Exception as fault:
        problems.append(f'{path}: {fault}')
        return {}


def expect(path, key, wanted, holds):
    if not holds(read(path).get(key)): problems.append(f'{path}: {key} has to be {wanted}')


lists = sorted(glob.glob('packaging/*.plist') + ['../bridge/packaging/entitlements.plist'])
for path in lists: read(path)
info, agent = 'packaging/Info.plist', 'packaging/app.sallyport.sallyportd.plist'
with open('Sources/ShellRules/App/DaemonStart.swift') as file: label = re.search(r'agentLabel = "([^"]+)"', file.read()).group(1)
expect(info, 'LSUIElement', 'true: started by a link, the app is in no Dock', lambda value: value is True)
expect(info, 'LSMinimumSystemVersion', '13.0, as in Package.swift', lambda value: value in ('13', '13.0'))
expect(info, 'CFBundleURLTypes', 'the scheme sallyport', lambda value: value and 'sallyport' in value[0]['CFBundleURLSchemes'])
expect(info, 'CFBundleExecutable', 'Sallyport', lambda value: value == 'Sallyport')
# What macOS asks the person in the app's name. The English is in Info.plist, the other languages
# are beside the app's own texts.
asked = {key for key in read(info) if key.endswith('UsageDescription')}
for folder in sorted(glob.glob('Resources/*.lproj')):
    path = f'{folder}/InfoPlist.strings'
    if folder.endswith('/en.lproj'): continue
    try:
        with open(path, encoding='utf-8') as file: pairs = re.findall(r'^"(\w+)" = "([^"]+)";$', file.read(), re.M)
    except OSError: pairs = []
    if len(pairs) != len(asked) or {key for key, _ in pairs} != asked: problems.append(f'{path}: has to say {sorted(asked)}, each once')
expect(agent, 'Label', f'{label}, as in DaemonStart.swift', lambda value: value == label)
expect(agent, 'BundleProgram', 'Contents/MacOS/sallyportd', lambda value: value == 'Contents/MacOS/sallyportd')
for problem in dict.fromkeys(problems): print(problem)
print(f'{len(lists)} property lists, {len(problems)} problems')
sys.exit(bool(problems))
