#!/usr/bin/env python3
"""Compares the tables of texts in Resources/ with the sources. A text's key is its English.

Each text that SwiftUI, `localized`, `counted` and the like look up must be in each language's table. So must the daemon's texts that
the app translates, which texts.mjs tells. Counted texts have their forms in Localizable.stringsdict. The tables hold nothing else.
Each readable text in ShellRules and Shell is looked up.

A literal counts as a readable text if it has words with blanks between them, or a capital letter. One lower-case word alone counts
as a protocol's word.

Usage: check_strings.py [--english FOLDER], from shell-macos/. --english makes the English tables there, as en.lproj: nobody keeps
them. Needs our Node in PATH.
"""
import glob, json, os, plistlib, re, subprocess, sys

DAEMONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'texts.mjs')
ENTRY = r'^"((?:[^"\\\n]|\\.)*)" = "((?:[^"\\\n]|\\.)*)";$'
# The code right before a literal that is a key: `localized`, functions that call it, views and
# modifiers of SwiftUI, and titles of our own views.
WORDING = re.compile(r'(?:\blocalized|\.fact|\.claim)\(\s*$')
SWIFTUI = re.compile(
    r'(?:\b(?:Text|Button|Toggle|Picker|ChoicePicker|TextField|SecureField|LabeledContent|Section|Label|TableColumn)\(\s*'
    r'|\.(?:help|alert|confirmationDialog)\(\s*|\bwhat: |\bprompt: |\bLocalizedStringKey = |\? Text\(|: Text\()$')
FORM = re.compile(r'\b(one|other):\s*$')
# The type that begins a table of wordings.
TABLES = re.compile(r'\[String: Wording\] = \[')
LOOKS_READ = re.compile(r'[^\W\d_]\S*\s|\s[^\W\d_]|^[A-Z][a-z]|.[’…“]|[’…“].')
# Literals that look like texts and aren't: all of a file, or single ones.
NO_TEXTS = {
    'ShellRules/Proof/Proofs.swift': 'what proofs are made of',
    'ShellRules/App/AgentPrint.swift': 'what launchctl prints',
}
NO_TEXT = {
    'control socket': 'a thread\'s name', 'Library/Application Support/Sallyport': 'a folder', 'Contents/MacOS': 'another', 'Sallyport': 'the keychain\'s service', 'sallyport: ': 'how the terminal command begins what it remarks',
    '\\(row.prefix)…': 'the beginning of a token',
}


def literals(text, begin=0, end=None):
    """@returns each string literal of Swift outside comments: its beginning, its text with interpolations, and its key."""
    at, end = begin, len(text) if end is None else end
    while at < end:
        if text.startswith('//', at): at = text.find('\n', at) % (len(text) + 1)
        elif text.startswith('"""', at): at = text.index('"""', at + 3) + 3
        elif text.startswith('#"', at): at = text.index('"#', at + 2) + 2
        elif text[at] == '"':
            start, parts, at, piece = at, [], at + 1, ''
            while text[at] != '"':
                if text.startswith('\\(', at):
                    inner, depth, at = at + 2, 1, at + 2
                    while depth:
                        if text[at] == '"': at = past(text, at)
                        else:
                            depth += {'(': 1, ')': -1}.get(text[at], 0)
                            at += 1
                    parts += [piece, '%lld' if text.startswith('number:', inner) else '%@']
                    piece = ''
                    yield from literals(text, inner, at - 1)
                else:
                    step = 2 if text[at] == '\\' else 1
                    piece, at = piece + text[at:at + step], at + step
            key = piece if not parts else ''.join(
                part if index % 2 else part.replace('%', '%%') for index, part in enumerate(parts + [piece]))
            at += 1
            yield start, text[start + 1:at - 1], key
        else: at += 1


def past(text, at):
    """@returns the position behind the literal that begins at `at`."""
    at += 1
    while text[at] != '"':
        if text.startswith('\\(', at):
            depth, at = 1, at + 2
            while depth:
                if text[at] == '"': at = past(text, at)
                else:
                    depth += {'(': 1, ')': -1}.get(text[at], 0)
                    at += 1
        else: at += 2 if text[at] == '\\' else 1
    return at + 1


def in_tables(text):
    for match in TABLES.finditer(text):
        depth, at = 1, match.end()
        while depth:
            depth += {'[': 1, ']': -1}.get(text[at], 0)
            at += 1
        yield range(match.end(), at)


def read(folder):
    """@returns keys, counted keys with their form for one, and problems."""
    keys, counted, problems = {}, {}, []
    for path in sorted(glob.glob(f'Sources/{folder}/**/*.swift', recursive=True)):
        if path.removeprefix('Sources/') in NO_TEXTS: continue
        with open(path, encoding='utf-8') as file: text = file.read()
        wordings, one = list(in_tables(text)), None
        for start, said, key in sorted(literals(text)):
            before = text[max(0, start - 60):start]
            form = FORM.search(before)
            looks_read = LOOKS_READ.search(re.sub(r'%(?:@|lld)', '', key)) and said not in NO_TEXT
            if form and form.group(1) == 'one': one = key
            elif form and one is not None:
                if '%lld' not in one: problems.append(f'{path}: a form without its count: "{one}"')
                counted[key], one = one, None
                if key.count('%') != 1 or '%lld' not in key: problems.append(f'{path}: not one count alone: "{key}"')
            elif WORDING.search(before): keys.setdefault(key, path)
            elif any(start in table for table in wordings):
                # A title, or the text for a word of the daemon.
                if looks_read or before.rstrip().endswith('":'): keys.setdefault(key, path)
            elif folder == 'Shell' and SWIFTUI.search(before):
                keys.setdefault(key, path)
                if '\\(' in said: problems.append(f'{path}: a key with an interpolation: "{said}"')
            elif looks_read and 'debugDescription: ' not in before[-20:]:
                problems.append(f'{path}: "{said}" is in one language only: look it up by `localized`')
    return keys, counted, problems


def forms(key, one):
    count = {'NSStringFormatSpecTypeKey': 'NSStringPluralRuleType', 'NSStringFormatValueTypeKey': 'lld', 'one': one, 'other': key}
    return {'NSStringLocalizedFormatKey': '%#@count@', 'count': count}


def english(key):
    """@returns the text as the app shows it: typographic apostrophes replace those of a typewriter, which the terminal uses."""
    return re.sub(r"(?<=\w)'(?=\w)", '’', key)


def placeholders(text):
    """@returns the placeholders of a format, by order or number."""
    found = re.findall(r'%(?:(\d+)\$)?(@|lld)', text.replace('%%', ''))
    return sorted((int(number or place), kind) for place, (number, kind) in enumerate(found, 1))


def check_translation(folder):
    """Checks that a language has each text once, with the same placeholders, and each counted text in all its forms."""
    pairs = table(f'{folder}/Localizable.strings')
    entries = dict(pairs)
    if len(entries) != len(pairs): problems.append(f'{folder}: a text stands there twice')
    for key in wanted:
        if key not in entries: problems.append(f'{folder}: "{key}" ({wanted[key]}) is not there')
        elif not entries[key].strip(): problems.append(f'{folder}: "{key}" is empty')
        elif placeholders(entries[key]) != placeholders(key): problems.append(f'{folder}: another number of things stand in "{key}"')
        elif ('%%' in key) != ('%%' in entries[key]): problems.append(f'{folder}: a percent sign is written twice in "{key}"')
    problems.extend(f'{folder}: "{key}" is looked up by nothing' for key in entries if key not in wanted)
    with open(f'{folder}/Localizable.stringsdict', 'rb') as file: plurals = plistlib.load(file)
    for key in counts:
        if key not in plurals: problems.append(f'{folder}: "{key}" is not there in its forms')
        else:
            said = plurals[key]['count']
            shown = [text for form, text in said.items() if not form.startswith('NSString')]
            if 'other' not in said or any(placeholders(text) not in ([(1, 'lld')], []) for text in shown) or '%lld' not in said['other']:
                problems.append(f'{folder}: "{key}" has other forms than a count has')
    problems.extend(f'{folder}: "{key}" is counted by nothing' for key in plurals if key not in counts)


def table(path):
    with open(path, encoding='utf-8') as file: text = file.read()
    rest = re.sub(ENTRY, '', re.sub(r'/\*.*?\*/', '', text, flags=re.S), flags=re.M).strip()
    if rest: sys.exit(f'{path}: this is no line of a table: {rest[:80]!r}')
    return re.findall(ENTRY, text, re.M)


wanted, counts, problems = read('ShellRules')
keys, counted, found = read('Shell')
wanted, counts, problems = {**keys, **wanted}, counts | counted, problems + found
wanted = {**json.loads(subprocess.run(['node', DAEMONS], check=True, capture_output=True).stdout), **wanted}
if '--english' in sys.argv:
    folder = f'{sys.argv[-1]}/en.lproj'
    os.makedirs(folder)
    with open(f'{folder}/Localizable.strings', 'w', encoding='utf-8') as file:
        for key in sorted(wanted): file.write(f'"{key}" = "{english(key)}";\n')
    with open(f'{folder}/Localizable.stringsdict', 'wb') as file: plistlib.dump({key: forms(key, one) for key, one in counts.items()}, file)
    sys.exit()
languages = sorted(glob.glob('Resources/*.lproj'))
for folder in languages: check_translation(folder)
for problem in problems: print(problem)
print(f'{len(wanted)} texts, {len(counts)} counted ones, {1 + len(languages)} languages, {len(problems)} problems')
sys.exit(bool(problems))
