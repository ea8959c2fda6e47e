#!/usr/bin/env python3
"""Holds PlatformSurface/ against what its marks claim, and the app against the surface's rules (PlatformSurface/README.md).

After `swift package dump-symbol-graph`; usage: check_surface.py SYMBOL-GRAPH-FOLDER, from shell-macos/. Marks stand right above a
declaration:
  // usr: ID      the preciseIdentifier of Apple's page: our declaration must get the same one, so module, nesting, labels, parameter
                  types, generics and constraints are Apple's
  // doc: TEXT    the declaration as Apple's page prints it: ours must print the same, so isolation, defaults and @escaping are Apple's
  // hidden: WHY  an attribute that no page prints
  // memory: WHY  written down without a page
"""
import collections, glob, json, re, sys

GRAPHS = sys.argv[1]
MARK = re.compile(r'\s*// (usr|doc|hidden|memory): (.*)')
# Types that live in another module here than on a Mac.
MOVED = [('10Foundation4DateV', '20FoundationEssentials4DateV'), ('14CoreFoundation7CGFloatV', '10Foundation7CGFloatV'),
         ('So6CGSizeV', '10Foundation6CGSizeV'), ('So6CGRectV', '10Foundation6CGRectV')]
problems = []


def graph():
    """(path in PlatformSurface, line from 1) -> symbol"""
    at = {}
    for name in glob.glob(f'{GRAPHS}/*.symbols.json'):
        with open(name) as file:
            for symbol in json.load(file)['symbols']:
                place = symbol.get('location')
                if place and '/PlatformSurface/' in place['uri']:
                    path = 'PlatformSurface/' + place['uri'].split('/PlatformSurface/')[1]
                    if symbol['kind']['identifier'] == 'swift.enum.case': continue
                    at.setdefault((path, place['position']['line'] + 1), symbol)
    return at


def printed(symbol):
    return ''.join(fragment['spelling'] for fragment in symbol.get('declarationFragments', []))


ATTRIBUTE = r'@(?:MainActor|preconcurrency|frozen|propertyWrapper|dynamicMemberLookup|resultBuilder|discardableResult|NSCopying|export\(implementation\))|\b(?:nonisolated|optional|final|weak|open|public)\b'


def without_conformances(text):
    """The graph prints them for protocols only, the pages for some types."""
    head, where, rest = text.partition(' where ')
    return re.sub(r'(\w+(?:<[^>]*>)?)\s*:.*$', r'\1', head) + where + rest


def comparable(text, is_type):
    """Without what is written otherwise here by need; see README.md, 'What is compared'."""
    text = text.replace('@ContentBuilder', '@ViewBuilder')
    text = re.sub(r'\b(static|class) let (\w+: [^{=]+)$', r'\1 var \2 { get }', text)
    text = re.sub(r'\b(?:convenience |required |override |unowned\(unsafe\) )', '', text)
    if is_type: text = without_conformances(text)
    text = text.replace('@Sendable ', '')
    head = text.split('(')[0] if not is_type else text
    attributes = set(re.findall(r'@(?:MainActor|preconcurrency|frozen|propertyWrapper|dynamicMemberLookup|resultBuilder)|\bnonisolated\b', head))
    attributes.discard('nonisolated')
    text = re.sub(ATTRIBUTE, '', text) if is_type else re.sub(ATTRIBUTE, '', head) + text[len(head):]
    return ' '.join(sorted(attributes)) + ' ' + re.sub(r'[\s`]', '', text)


def marks_above(lines, index):
    marks = []
    while index > 0 and re.match(r'\s*(?://|(?:@\w+(?:\([^)]*\))?\s*)+$)', lines[index - 1]):
        index -= 1
        found = MARK.match(lines[index])
        if found: marks.append((found.group(1), found.group(2).strip()))
    return marks


def needs_mark(symbol, line):
    """What only makes a declaration compile says nothing about Apple's API."""
    kind, title = symbol['kind']['identifier'], symbol['names']['title']
    if kind == 'swift.enum.case' or 'typealias' in line and 'doc' not in line: return False
    return not (title in ('rawValue', 'init(rawValue:)', 'body') or title.endswith('.body') or title.split('.')[-1] in ('rawValue', 'init(rawValue:)'))


def check_declarations():
    counts = collections.Counter()
    for (path, number), symbol in sorted(graph().items()):
        with open(path) as file: lines = file.read().split('\n')
        line = lines[number - 1]
        if 'public' not in line and 'open' not in line and 'protocol' not in symbol['kind']['identifier'] and not symbol['pathComponents'][:-1]: continue
        marks = marks_above(lines, number - 1)
        kinds = [kind for kind, _ in marks]
        where = f'{path}:{number}'
        if not marks:
            if needs_mark(symbol, line): problems.append(f"{where}: {symbol['names']['title']} carries no mark")
            continue
        framework = path.split('/')[1]
        counts[framework, 'usr' if 'usr' in kinds else 'doc' if 'doc' in kinds else 'memory'] += 1
        ours = symbol['identifier']['precise'].split('::SYNTHESIZED')[0]
        for kind, text in marks:
            if kind == 'usr':
                wanted = text
                if wanted != ours:
                    for apple, here in MOVED: wanted = wanted.replace(apple, here)
                if wanted != ours: problems.append(f'{where}: identifier differs\n   page: {text}\n   ours: {ours}')
            elif kind == 'doc':
                is_type = symbol['kind']['identifier'] in ('swift.struct', 'swift.class', 'swift.enum', 'swift.protocol')
                page, here = comparable(text, is_type), comparable(printed(symbol), is_type)
                if page != here: problems.append(f'{where}: text differs\n   page: {page}\n   ours: {here}')
    return counts


NEWER = 'Sources/Shell/Windows/ByVersion.swift'
BANNED = [
    (r'@objc\b|#selector|\bSelector\(|\.observe\(\\\.|addObserver\(', 'needs the Objective-C runtime, which the type check has not'),
    (r'#Preview|PreviewProvider', 'is no part of the app'),
    (r'\btry!|\bas!|\bfatalError\(', 'crashes'),
    (r'Color\(red:|Color\(hue:|Color\(white:|#colorLiteral|NSColor\((?:red|calibrated|device|srgb)', 'is no colour of the system: dark mode'),
    (r'Text\("\s*\\\(', 'makes a key of somebody else\'s text, which SwiftUI reads as Markdown'),
]


def check_app():
    """Newer API in one file, and none of what can't be checked or does not belong on a Mac."""
    newer = set()
    for path in glob.glob('PlatformSurface/*/*.swift'):
        with open(path) as file:
            for name in re.findall(r'@available\(macOS \d+, \*\)\s*\n(?:\s*@[^\n]*?)?\s*(?:@\w+ )*public (?:struct|func|var|class) (\w+)', file.read()): newer.add(name)
    for path in sorted(glob.glob('Sources/Shell/**/*.swift', recursive=True)):
        with open(path) as file: text = file.read()
        if path != NEWER:
            if '#available' in text or '@available(macOS' in text: problems.append(f'{path}: #available belongs into {NEWER}')
            for name in newer - {'activate'}:
                if re.search(rf'\.{name}\b|\b{name}\(', text.replace('model.openSettings', '').replace('var openSettings', '')):
                    if not re.search(rf'func {name}|var {name}|let {name}|\b{name}:|openSettings in|openSettings\(\)', text): problems.append(f'{path}: {name} is newer than macOS 13')
        for number, line in enumerate(text.split('\n'), 1):
            for pattern, why in BANNED:
                if re.search(pattern, line): problems.append(f'{path}:{number}: {line.strip()[:80]}: {why}')
    return newer


def check_use():
    """Declare only what the app uses."""
    app = '\n'.join(open(path).read() for path in glob.glob('Sources/Shell/**/*.swift', recursive=True))
    surface = '\n'.join(re.sub(r'//.*', '', open(path).read()) for path in glob.glob('PlatformSurface/*/*.swift'))
    for path in sorted(glob.glob('PlatformSurface/*/*.swift')):
        with open(path) as file:
            for number, line in enumerate(file, 1):
                found = re.match(r'\s*(?:(?:@\w+|public|open|nonisolated|static|class|final|@_\w+)\s+)*(?:func|var|let|struct|class|enum|protocol) `?(\w+)', line)
                if not found or line.strip().startswith('//'): continue
                name = found.group(1)
                if name.startswith('build') or re.search(rf'\b{name}\b', app): continue
                if len(re.findall(rf'\b{name}\b', surface)) > 1: continue
                problems.append(f'{path}:{number}: {name} is used by nothing')


counts = check_declarations()
check_app()
check_use()
for problem in problems: print(problem)
for framework in sorted({framework for framework, _ in counts}):
    print(f'{framework}: ' + ', '.join(f'{counts[framework, kind]} {words}' for kind, words in (('usr', 'by identifier and page'), ('doc', 'by page'), ('memory', 'from memory'))))
print(f'{sum(counts.values())} declarations, {len(problems)} problems')
sys.exit(bool(problems))
