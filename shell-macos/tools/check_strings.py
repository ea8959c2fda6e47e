#!/usr/bin/env python3
"""Compares the tables of texts in Resources/ with the sources.

Each text that SwiftUI, `localized`, `counted` and the like look up must be in the tables. So must the daemon's texts that the app
translates: labels of confirmations, what was done, and reasons of questions. Counted texts have their forms in
Localizable.stringsdict. The tables hold nothing else. Each readable text in ShellRules and Shell is looked up.

A daemon's sentence about a setting may be in no table. The app then shows it in English. If the English table has it, all tables
must have it.

A literal counts as a readable text if it has words with blanks between them, or a capital letter. One lower-case word alone counts
as a protocol's word.

Usage: check_strings.py [--write], from shell-macos/. --write adds missing texts and removes those that nothing looks up.
"""
import glob, json, os, plistlib, re, sys

DAEMON = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../daemon')
TABLE = 'Resources/en.lproj/Localizable.strings'
COUNTED = 'Resources/en.lproj/Localizable.stringsdict'
ENTRY = r'^"((?:[^"\\\n]|\\.)*)" = "((?:[^"\\\n]|\\.)*)";$'
# The code right before a literal that is a key: `localized`, functions that call it, views and
# modifiers of SwiftUI, and titles of our own views.
WORDING = re.compile(r'(?:\blocalized|\.fact|\.claim)\(\s*$')
SWIFTUI = re.compile(
    r'(?:\b(?:Text|Button|Toggle|Picker|ChoicePicker|TextField|SecureField|FieldLine|LabeledContent|Section|Label|TableColumn)\(\s*'
    r'|\.(?:help|alert|confirmationDialog)\(\s*|\bwhat: |\bprompt: |\bnone: (?:[^,\"]* \? )?|\bLocalizedStringKey = |\? Text\(|: Text\()$')
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


def of_the_daemon():
    """@returns the daemon's texts that the app translates: labels of confirmations, and what was done in the activity log."""
    with open(f'{DAEMON}/shells/activity-words.ts', encoding='utf-8') as file:
        said = dict.fromkeys(re.findall(r"^  \S+: '([^']+)',$", file.read(), re.M), 'activity-words.ts')
    for path in sorted(glob.glob(f'{DAEMON}/access/privilege-increases/*.ts') + glob.glob(f'{DAEMON}/shells/**/*.ts', recursive=True)):
        with open(path, encoding='utf-8') as file: labels = re.findall(r"\b(?:f|linesF)act\(\s*'([^']+)'", file.read())
        said |= dict.fromkeys(labels, os.path.basename(path))
    return said


def of_reasons():
    """@returns the codes of the reasons that a question can carry (daemon/guard/reason.ts)."""
    said = {}
    for path in sorted(glob.glob(f'{DAEMON}/**/*.ts', recursive=True)):
        with open(path, encoding='utf-8') as file: codes = re.findall(r'\bsay`((?:[^`\\]|\\.)*)`', file.read())
        said |= {re.sub(r'\$\{[^}]*\}', '%@', code).replace('\\`', '`'): os.path.basename(path) for code in codes}
    return said


def of_settings():
    """@returns the settings' headings, labels and explanations, each explanation as a sentence."""
    with open(f'{DAEMON}/../shared/fixtures/settings.json', encoding='utf-8') as file: settings = json.load(file)
    # The server's switch is shown elsewhere, without a sentence.
    return {text: 'settings.ts' for each in settings if each['key'] != 'enabled'
            for text in (each['group'], each['label'], f"{each['about'][0].upper()}{each['about'][1:]}.")}


def of_fields():
    """@returns the daemon's sentences about a form's fields, with `%lld` for a number."""
    said = set()
    for path in ('connection-fields', 'shapes', 'connection-change'):
        with open(f'{DAEMON}/shells/commands/{path}.ts', encoding='utf-8') as file: text = file.read()
        for _, literal in re.findall(r"(['`])((?:[A-Za-z.]+: )?(?:[a-z\[]|1 to )[^'`\n]* [^'`\n]*)\1", text):
            literal = re.sub(r'^[A-Za-z.]+: ', '', literal)
            for unit, name in (('rows', 'password'), ('seconds', 'passphrase')):
                literal_of = literal.replace('${unit}', unit).replace('${name}', name)
                said.add(re.sub(r'\$\{\w+\}', '%lld', literal_of))
    return {f"{each[0].upper()}{each[1:].rstrip('.')}.": 'connection-fields.ts' for each in said}


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
    """Checks that a language has each text of the English table with the same placeholders, and each counted text in all its forms."""
    entries = dict(table(f'{folder}/Localizable.strings'))
    for key in wanted:
        if key not in entries: problems.append(f'{folder}: "{key}" is not there')
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


def table(path=TABLE):
    with open(path, encoding='utf-8') as file: text = file.read()
    rest = re.sub(ENTRY, '', re.sub(r'/\*.*?\*/', '', text, flags=re.S), flags=re.M).strip()
    if rest: sys.exit(f'{path}: this is no line of a table: {rest[:80]!r}')
    return re.findall(ENTRY, text, re.M)


wanted, counts, problems = read('ShellRules')
keys, counted, found = read('Shell')
wanted, counts, problems = {**keys, **wanted}, counts | counted, problems + found
wanted |= {key: path for key, path in {**of_the_daemon(), **of_reasons()}.items() if key not in wanted}
translated = {key for key, _ in table()}
in_english = [key for key in of_settings() if key not in translated]
wanted |= {key: path for key, path in (of_settings() | of_fields()).items() if key in translated and key not in wanted}
if '--write' in sys.argv:
    with open(TABLE, 'w', encoding='utf-8') as file:
        file.write('/* The texts of Sallyport.app: each key is its English text. A translation is a folder like this one. */\n\n')
        for key in sorted(wanted, key=lambda key: (key.lower(), key)): file.write(f'"{key}" = "{english(key)}";\n')
    with open(COUNTED, 'wb') as file: plistlib.dump({key: forms(key, one) for key, one in counts.items()}, file)
entries = table()
keys = [key for key, _ in entries]
with open(COUNTED, 'rb') as file: plurals = plistlib.load(file)
problems += [f'{path}: "{key}" is not in {TABLE}' for key, path in wanted.items() if key not in keys]
problems += [f'{TABLE}: "{key}" is looked up by nothing' for key in keys if key not in wanted]
problems += [f'{TABLE}: "{key}" stands there twice' for key in sorted({key for key in keys if keys.count(key) > 1})]
problems += [f'{TABLE}: "{key}" is not its own English text' for key, text in entries if english(key) != text]
problems += [f'{COUNTED}: "{key}" is not there in its forms' for key, one in counts.items() if plurals.get(key) != forms(key, one)]
problems += [f'{COUNTED}: "{key}" is counted by nothing' for key in plurals if key not in counts]
languages = [folder for folder in sorted(glob.glob('Resources/*.lproj')) if os.path.basename(folder) != 'en.lproj']
for folder in languages: check_translation(folder)
for key in in_english: print(f'in English only, as the daemon says it: "{key}"')
for problem in problems: print(problem)
print(f'{len(entries)} texts, {len(plurals)} counted ones, {1 + len(languages)} languages, {len(problems)} problems')
sys.exit(bool(problems))
