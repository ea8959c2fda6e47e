#!/usr/bin/env python3
"""Holds PlatformSurface/ against what its marks claim, and the app against the surface's rules (PlatformSurface/README.md).

After `swift package dump-symbol-graph`; usage: check_surface.py SYMBOL-GRAPH-FOLDER, from shell-macos/; or --app FOLDER for the rules of
an app's code alone. Marks stand right above a
declaration:
  // usr: ID      the preciseIdentifier of Apple's page: our declaration must get the same one, so module, nesting, labels, parameter
                  types, generics and constraints are Apple's
  // doc: TEXT    the declaration as Apple's page prints it: ours must print the same, so isolation, defaults and @escaping are Apple's
  // sdk: TEXT    the same of Apple's own interface of its SDK, for the overloads that share a page with another
  // async: TEXT  the declaration with a completion handler as the page prints it: ours must be what Swift makes of it (SE-0297)
  // hidden: WHY  what no page prints
  // memory: WHY  written down without a page: none, or the check says so
"""
import collections, glob, json, re, sys

GRAPHS = sys.argv[1]
MARK = re.compile(r'\s*// (usr|doc|sdk|async|hidden|memory): (.*)')
# Types that live in another module here than on a Mac.
MOVED = [('10Foundation4DateV', '20FoundationEssentials4DateV'), ('14CoreFoundation7CGFloatV', '10Foundation7CGFloatV'),
         ('So6CGSizeV', '10Foundation6CGSizeV'), ('So6CGRectV', '10Foundation6CGRectV')]
# Where a declaration comes from, the surest first, and how the counts call it.
SOURCES = {'usr': 'by identifier and page', 'doc': 'by page', 'async': 'by page', 'sdk': 'by interface', 'hidden': 'on no page', 'memory': 'from memory'}
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
    text = re.sub(r'^(associatedtype .*) = Self\..*$', r'\1', text)
    text = re.sub(r'^((?:@\w+ )*var \w+: [^{]*[^{ ])$', r'\1 { get set }', text)
    text = re.sub(r'\b(static|class) let (\w+: [^{=]+)$', r'\1 var \2 { get }', text)
    text = re.sub(r'\b(?:convenience |required |override |unowned\(unsafe\) )', '', text)
    if is_type: text = without_conformances(text)
    text = text.replace('@Sendable ', '')
    head = text.split('(')[0] if not is_type else text
    attributes = set(re.findall(r'@(?:MainActor|preconcurrency|frozen|propertyWrapper|dynamicMemberLookup|resultBuilder)|\bnonisolated\b', head))
    attributes.discard('nonisolated')
    text = re.sub(ATTRIBUTE, '', text) if is_type else re.sub(ATTRIBUTE, '', head) + text[len(head):]
    return ' '.join(sorted(attributes)) + ' ' + re.sub(r'[\s`]', '', text)


def as_async(text):
    """What Swift makes of a method whose last parameter is a completion handler with an error."""
    found = re.fullmatch(r'(.*?)(?:, )?(?:\w+ )?completionHandler: \(?(?:@\w+ )*\((.*?,? ?)\(any Error\)\?\) -> Void\)?(?:\?? ?= nil)?\)', text)
    if not found: return text
    results = found.group(2).rstrip(', ')
    return f'{found.group(1)}) async throws' + (f' -> {results}' if results else '')


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
        counts[framework, next(kind for kind in SOURCES if kind in kinds)] += 1
        if 'memory' in kinds: problems.append(f'{where}: nobody has looked it up')
        ours = symbol['identifier']['precise'].split('::SYNTHESIZED')[0]
        for kind, text in marks:
            if kind == 'usr':
                wanted = text
                if wanted != ours:
                    for apple, here in MOVED: wanted = wanted.replace(apple, here)
                if wanted != ours: problems.append(f'{where}: identifier differs\n   page: {text}\n   ours: {ours}')
            elif kind in ('doc', 'sdk', 'async'):
                text = as_async(text) if kind == 'async' else text
                is_type = symbol['kind']['identifier'] in ('swift.struct', 'swift.class', 'swift.enum', 'swift.protocol')
                page, here = comparable(text, is_type), comparable(printed(symbol), is_type)
                if page != here: problems.append(f'{where}: text differs\n   page: {page}\n   ours: {here}')
    return counts


NEWER = 'Windows/ByVersion.swift'
BANNED = [
    (r'@objc\b|#selector|\bSelector\(|\.observe\(\\\.|addObserver\(', 'needs the Objective-C runtime, which the type check has not'),
    (r'#Preview|PreviewProvider', 'is no part of the app'),
    (r'\btry!|\bas!|\bfatalError\(', 'crashes'),
    (r'Color\(red:|Color\(hue:|Color\(white:|#colorLiteral|NSColor\((?:red|calibrated|device|srgb)', 'is no colour of the system: dark mode'),
    (r'Text\("\s*\\\(', 'makes a key of somebody else\'s text, which SwiftUI reads as Markdown'),
    # A name that ours share is told from Apple's by what stands before it.
    (r'#available|@available\(macOS|\\\.openSettings\b|NSApp(?:lication\.shared)?\.activate\(\)', f'belongs into {NEWER}: it is newer than macOS 13'),
]
BANNED += [
    (r'^\s*import (?:Glibc|Musl|FoundationNetworking|FoundationEssentials|CoreFoundation|Synchronization|Observation)\b', 'is not on a Mac, or newer than macOS 13'),
]
# What no type sees: which control answers what, by which key, and when. File, what has to stand there, and what breaks without it.
WIRING = [
    ('Sheets/DecisionBar.swift', """button(content.approve, .approve)
        button(content.deny, .deny)
            .keyboardShortcut(.defaultAction)
            .background { EscapeKey { answer(.pressed(.deny)) } }""", 'Approve approves and has no key; Return and Esc deny'),
    ('Sheets/DecisionBar.swift', """Button(choice.label) { answer(.pressed(verdict)) }
        .disabled(!choice.state.isEnabled)
        .accessibilityHint(""", 'a button answers its own verdict, once it may'),
    ('Sheets/DecisionBar.swift', """Button("Cancel", action: pressed)
        .keyboardShortcut(.cancelAction)""", 'Esc does what it was given'),
    ('Sheets/DecisionBar.swift', 'answer(typed.map { .typedPassphrase($0) } ?? .gaveUpPassphrase)', 'a passphrase not typed is no answer'),
    ('Sheets/QuestionWindow.swift', """deny: DecisionBar.Choice(label: sheet.denyLabel, state: sheet.deciding.denyButton(at: now)),
        approve: DecisionBar.Choice(label: sheet.approveLabel, state: sheet.approveButton(at: now))""", 'each choice has its own label and state'),
    ('Sheets/QuestionWindow.swift', 'StatementBox(statement: statement) { send(.endShown, sheet.id) }', 'the end counts as read once it was shown'),
    ('Sheets/QuestionWindow.swift', 'case .pressed(let verdict): send(.pressed(verdict), id)', 'the verdict that was pressed is sent'),
    ('Sheets/PairingWindow.swift', """deny: DecisionBar.Choice(label: localized("Deny"), state: sheet.deciding.denyButton(at: now)),
        approve: DecisionBar.Choice(label: localized("Approve"), state: sheet.approveButton(at: now))""", 'each choice has its own label and state'),
    ('Sheets/PairingWindow.swift', 'case .pressed(let verdict): send(.pressed(verdict))', 'the verdict that was pressed is sent'),
    ('Sheets/ConfirmationPromptView.swift', """Button(prompt.approveLabel) { done(true) }
        .disabled(!prompt.canApprove(endWasShown: endWasShown))
        Button(prompt.denyLabel) { done(false) }
            .keyboardShortcut(.defaultAction)
            .background { EscapeKey { done(false) } }""", 'Approve has no key and waits for the end; Return and Esc cancel'),
    ('Sheets/PassphraseFields.swift', """Button("Cancel", role: .cancel) { finish(nil) }
        .keyboardShortcut(.cancelAction)
        Button("Confirm", action: confirm)
            .keyboardShortcut(.defaultAction)
            .disabled(!canConfirm)""", 'Cancel hands on nothing; Confirm waits until it may'),
    ('Sheets/PassphraseFields.swift', 'if canConfirm { finish(typed) }', 'Return in the field waits too'),
    ('Sheets/PassphraseFields.swift', 'typed = "" done(passphrase)', 'what was typed is not kept'),
    ('Sheets/PassphraseFields.swift', 'SecureField("Owner Passphrase", text: $typed)', 'the passphrase is not drawn'),
    ('Settings/Connections/ConnectionPasswordSection.swift', 'SecureField("New password", text: $form.typedPassword)', 'the password is not drawn'),
    ('Settings/Advanced/PassphraseSection.swift', 'SecureField("New passphrase", text: $form.first) SecureField("Once more", text: $form.again)', 'the passphrase is not drawn, and is typed twice'),
    ('Showing/CopyButton.swift', 'Pasteboard.copy(text, isSecret: isSecret)', 'a secret is copied as one'),
    ('Showing/CopyButton.swift', 'if isSecret { pasteboard.setString("", forType: NSPasteboard.PasteboardType("org.nspasteboard.ConcealedType")) }', 'clipboard histories leave a secret out'),
    ('App/AppDelegate.swift', 'Task { await model.stop() sender.reply(toApplicationShouldTerminate: true) } return .terminateLater', 'AppKit waits for ever for an answer that does not come'),
    ('App/AppDelegate.swift', 'for link in launchLinks { model.send(.opened(address: link)) }', 'the links of the launch are opened'),
    ('App/AppDelegate.swift', 'guard hasLaunched else { launchLinks += links return }', 'the links of the launch are kept'),
    ('App/AppDelegate.swift', 'for link in links { model.send(.opened(address: link)) }', 'a link is opened'),
    ('App/AppDelegate.swift', 'applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool { false }', 'the last window does not take the app along'),
    ('App/ShellModel.swift', 'await StoppingDaemon.ask(client, link: link) daemon.endChild()', 'Quit stops the daemon'),
    ('Windows/KeptWindow.swift', 'func standInFront() { window.orderFrontRegardless() NSApplication.shared.requestUserAttention', 'a question does not take the keys'),
    ('Windows/KeptWindow.swift', 'func windowShouldClose(_ sender: NSWindow) -> Bool { onClosing() }', 'closing is asked for'),
    ('Windows/KeptWindow.swift', 'window.isRestorable = false', 'a question of yesterday does not come back'),
]
# SF Symbols by name: a misspelt one, or one of a newer system, is drawn as nothing. All of these are of macOS 11.
SYMBOLS = set("""
    arrow.counterclockwise checkmark checkmark.circle.fill checkmark.seal.fill circle circle.fill clock cylinder.split.1x2 doc.on.doc ellipsis.circle
    exclamationmark.octagon.fill exclamationmark.shield exclamationmark.triangle exclamationmark.triangle.fill gearshape.2
    hand.raised.fill info.circle list.bullet.rectangle lock.fill lock.shield minus pause.circle pause.circle.fill plus
    puzzlepiece.extension shield.slash xmark.octagon
""".split())
SYMBOL = re.compile(r'(?:systemName: |systemImage: |symbol: )([^\n]*)')


def symbols(text):
    """Every literal in an argument that names a symbol, and in a property of that name."""
    for match in SYMBOL.finditer(text): yield from re.findall(r'"([^"]*)"', match.group(1).split(', title:')[0])
    for body in re.findall(r'var symbol: String \{(.*?)\n    \}', text, re.S): yield from re.findall(r'"([^"]*)"', body)


def check_wiring(folder):
    for name, wanted, why in WIRING:
        with open(f'{folder}/{name}') as file: text = ' '.join(file.read().split())
        if ' '.join(wanted.split()) not in text: problems.append(f'{folder}/{name}: no more {" ".join(wanted.split())[:70]!r}: {why}')


def check_app(folder='Sources/Shell'):
    """Newer API in one file, and none of what can't be checked or does not belong on a Mac."""
    check_wiring(folder)
    for path in sorted(glob.glob(f'{folder}/**/*.swift', recursive=True)):
        with open(path) as file: text = file.read()
        for name in symbols(text):
            if name not in SYMBOLS: problems.append(f'{path}: "{name}" is no symbol of the list in tools/check_surface.py')
        for number, line in enumerate(text.split('\n'), 1):
            for pattern, why in BANNED:
                if NEWER in why and path.endswith(NEWER): continue
                if re.search(pattern, line) and '@available(*, unavailable)' not in line: problems.append(f'{path}:{number}: {line.strip()[:80]}: {why}')


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


if GRAPHS == '--app':
    check_app(sys.argv[2])
    for problem in problems: print(problem)
    sys.exit(bool(problems))
counts = check_declarations()
check_app()
check_use()
for problem in problems: print(problem)
for framework in sorted({framework for framework, _ in counts}):
    said = collections.Counter()
    for kind, words in SOURCES.items(): said[words] += counts[framework, kind]
    print(f'{framework}: ' + ', '.join(f'{count} {words}' for words, count in said.items() if count))
print(f'{sum(counts.values())} declarations, {len(problems)} problems')
sys.exit(bool(problems))
