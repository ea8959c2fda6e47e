#!/usr/bin/env python3
"""Compares the table of texts (shared/texts.json) with the sources. A text's key is its English.

Each text that SwiftUI, `localized`, `counted` and the like look up must be there, and each readable text in ShellRules and Shell is
looked up. The compiler holds the daemon's texts to the table, but for those that zod takes: any string will do for it. Each row must
have a use, in the app or in the daemon.

A literal counts as a readable text if it has words with blanks between them, or a capital letter. One lower-case word alone counts
as a protocol's word.

Usage: check_strings.py [--tables FOLDER], from shell-macos/. --tables makes the app's tables of both languages there instead.
"""
import glob, json, os, plistlib, re, sys
from collections import Counter

DAEMONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../daemon')
# A comment, or a literal of TypeScript.
LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|\'((?:[^\'\\\n]|\\.)*)\'|"((?:[^"\\\n]|\\.)*)"', re.S)
# Shapes of zod's, whose messages the app shows as sentences.
SHAPES = ['connection-fields.ts', 'shapes.ts']
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


def forms(one, other):
    count = {'NSStringFormatSpecTypeKey': 'NSStringPluralRuleType', 'NSStringFormatValueTypeKey': 'lld', 'one': one, 'other': other}
    return {'NSStringLocalizedFormatKey': '%#@count@', 'count': count}


def english(key):
    """@returns the text as the app shows it: typographic apostrophes replace those of a typewriter, which the terminal uses."""
    return re.sub(r"(?<=\w)'(?=\w)", '’', key)


def placeholders(text):
    """@returns the placeholders of a format, by order or number."""
    found = re.findall(r'%(?:(\d+)\$)?(@|lld)', text.replace('%%', ''))
    return sorted((int(number or place), kind) for place, (number, kind) in enumerate(found, 1))


def sentence(clause):
    return f'{clause[:1].upper()}{clause[1:].removesuffix(".")}.'


def read_daemon():
    """@returns its literals, also as sentences, and those sentences that must be in the table, each with its file."""
    said, shown = set(), {}
    for path in glob.glob(f'{DAEMONS}/**/*.ts', recursive=True):
        with open(path, encoding='utf-8') as file: found = LITERAL.findall(file.read())
        texts = [re.sub(r'\\(.)', r'\1', single or double) for single, double in found]
        said.update(texts, map(sentence, texts))
        if os.path.basename(path) in SHAPES: shown.update({sentence(text): os.path.basename(path) for text in texts if re.search('[a-z] [a-z]', text)})
    return said, shown


def once(pairs):
    problems.extend(f'"{key}" stands there twice' for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return dict(pairs)


def check_row(key, german):
    """Checks that the German has what the English has: the same placeholders, and all forms of a counted text."""
    if key in counts:
        if not isinstance(german, dict) or german['one'][0] != counts[key]: return problems.append(f'"{key}" is not there in its forms')
        shown = [german['one'][1], german['other']]
        if any(placeholders(text) not in ([(1, 'lld')], []) for text in shown) or '%lld' not in german['other']:
            problems.append(f'"{key}" has other forms than a count has')
    elif not isinstance(german, str): problems.append(f'"{key}" is counted by nothing')
    elif not german.strip(): problems.append(f'"{key}" is empty')
    elif placeholders(german) != placeholders(key): problems.append(f'another number of things stand in "{key}"')
    elif '%' in re.sub(r'%(?:%|(?:\d\$)?@|lld)', '', german): problems.append(f'"{key}" has a percent sign that is no placeholder; write it twice')
    elif ('%%' in key) != ('%%' in german): problems.append(f'a percent sign is written twice in "{key}"')


def write(language, texts, counted):
    os.makedirs(f'{sys.argv[-1]}/{language}.lproj', exist_ok=True)
    path, quoted = f'{sys.argv[-1]}/{language}.lproj/Localizable', lambda text: json.dumps(text, ensure_ascii=False)
    with open(f'{path}.strings', 'w', encoding='utf-8') as file:
        for key in sorted(texts): file.write(f'{quoted(key)} = {quoted(texts[key])};\n')
    with open(f'{path}.stringsdict', 'wb') as file: plistlib.dump({key: forms(*both) for key, both in counted.items()}, file)


problems = []
with open('../shared/texts.json', encoding='utf-8') as file: table = json.load(file, object_pairs_hook=once)
if '--tables' in sys.argv:
    texts, counted = ({key: said for key, said in table.items() if isinstance(said, kind)} for kind in (str, dict))
    write('en', {key: english(key) for key in texts}, {key: (said['one'][0], key) for key, said in counted.items()})
    write('de', texts, {key: (said['one'][1], said['other']) for key, said in counted.items()})
    sys.exit()
rules, counts, found = read('ShellRules')
keys, counted, also_found = read('Shell')
said, shown = read_daemon()
wanted, counts, problems = {**shown, **keys, **rules}, counts | counted, problems + found + also_found
problems.extend(f'"{key}" ({wanted.get(key, "counted")}) is not there' for key in {**wanted, **counts} if key not in table)
for key, german in table.items():
    check_row(key, german)
    if key not in wanted and key not in counts and key not in said: problems.append(f'"{key}" is said by nothing')
for problem in problems: print(problem if '.swift: ' in problem else f'shared/texts.json: {problem}')
print(f'{len(table)} texts in English and German, {len(problems)} problems')
sys.exit(bool(problems))
