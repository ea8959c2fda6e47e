#!/usr/bin/env python3
"""Checks PlatformSurface/ against its marks, and the app against the surface's rules (PlatformSurface/README.md).

Usage, from shell-macos/: check_surface.py SYMBOL-GRAPH-FOLDER after `swift package dump-symbol-graph`. `--app FOLDER` checks only
the rules for an app's code.

A mark is right above a declaration:
  // usr: ID      the preciseIdentifier on Apple's page. Our declaration must get the same one. So module, nesting, labels, parameter
                  types, generics and constraints are Apple's
  // doc: TEXT    the declaration on Apple's page. Ours must print the same. So isolation, defaults and @escaping are Apple's
  // sdk: TEXT    the declaration in Apple's interface of its SDK, for overloads that share a page with another
  // async: TEXT  the declaration with a completion handler on the page. Ours must be what Swift makes of it (SE-0297)
  // hidden: WHY  no page prints it
  // memory: WHY  it was written without a page. The check refuses this mark
"""
import collections, glob, json, re, sys

GRAPHS = sys.argv[1]
MARK = re.compile(r'\s*// (usr|doc|sdk|async|hidden|memory): (.*)')
# Types that are in another module here than on a Mac.
MOVED = [('10Foundation4DateV', '20FoundationEssentials4DateV'), ('14CoreFoundation7CGFloatV', '10Foundation7CGFloatV'),
         ('So6CGSizeV', '10Foundation6CGSizeV'), ('So6CGRectV', '10Foundation6CGRectV')]
# Where a declaration comes from, the surest first, and its name in the counts.
SOURCES = {'usr': 'by identifier and page', 'doc': 'by page', 'async': 'by page', 'sdk': 'by interface', 'hidden': 'on no page', 'memory': 'from memory'}
problems = []


def graph():
    """@returns symbols by (path in PlatformSurface, line from 1)."""
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
    """Removes conformances: the graph prints them for protocols only, the pages for some types."""
    head, where, rest = text.partition(' where ')
    return re.sub(r'(\w+(?:<[^>]*>)?)\s*:.*$', r'\1', head) + where + rest


def comparable(text, is_type):
    """Removes what must differ here; see README.md, 'What is compared'."""
    text = text.replace('@ContentBuilder', '@ViewBuilder').replace('nonisolated(unsafe) ', '')
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
    """@returns the `async` form that Swift makes of a method whose last parameter is a completion handler with an error."""
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
    """@returns false for a declaration that only makes others compile: it says nothing about Apple's API."""
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
# What AppKit calls by name at run time.
CALLED = 'Menu/MenuPress.swift'
# What a person chose for a connection, in light and in dark.
OWN_COLOUR = 'Settings/Connections/ColourDot.swift'
CRASHES = (r'\btry!|\bas!|\bfatalError\(', 'crashes')
BANNED = [
    (r'@objc\b|#selector|\bSelector\(|\.observe\(\\\.|addObserver\(', f'needs the Objective-C runtime, which the type check has not: {CALLED} alone may'),
    (r'#Preview|PreviewProvider', 'is no part of the app'),
    CRASHES,
    (r'Color\(red:|Color\(hue:|Color\(white:|#colorLiteral|NSColor\((?:red|calibrated|device|srgb)', f'is no colour of the system, for light and dark: {OWN_COLOUR} alone draws one of the owner\'s own'),
    (r'\bLocalizedStringKey\(', 'makes a key of a text that may be somebody else\'s, which SwiftUI reads as Markdown'),
    (r'Text\("\s*\\\(', 'makes a key of somebody else\'s text, which SwiftUI reads as Markdown'),
    # If something of ours has the same name, Apple's is told apart by what stands before it.
    (r'#available|@available\(macOS|\\\.openSettings\b|NSApp(?:lication\.shared)?\.activate\(\)', f'belongs into {NEWER}: it is newer than macOS 13'),
]
# What Linux has, in Swift, its Foundation and its C library, but a Mac of the deployment target
# hasn't. Nothing here marks it. The versions are those of Apple's pages and of Swift's own
# `@available(SwiftStdlib …)`.
NOT_ON_A_MAC = [
    (r'^\s*(?:@\w+(?:\(\w+\))? )?(?:public |package |internal )?import (?:\w+ )?(?:Glibc|Musl|Bionic|FoundationNetworking|FoundationXML|FoundationEssentials|FoundationInternationalization|_\w+)\b', 'is no library of a Mac'),
    (r'\bimport CoreFoundation\b', 'is written for the types of Linux\'s, which are not a Mac\'s: Security hands out what is needed'),
    (r'\b_(?:cf|ns|swift)Object\b|_bridgeToObjectiveC|_(?:conditionally|force|unconditionally)\w*BridgeFromObjectiveC|\b__SwiftValue\b|NSObject\(\)\._', 'is inside Linux\'s Foundation'),
    (r'\b(?:accept4|pipe2|epoll_\w+|eventfd|inotify_\w+|signalfd|timerfd_\w+|prctl|gettid|getrandom|secure_getenv|MSG_NOSIGNAL|SOCK_CLOEXEC|SOCK_NONBLOCK|SO_PEERCRED|__errno_location|program_invocation_\w+|memfd_create|sendfile64)\b|"/proc/', 'is Linux\'s'),
    (r'\bimport (?:Synchronization|Observation)\b|@Observable\b|@ObservationIgnored\b|withObservationTracking|#Predicate\b|#Expression\b|\bPredicate<', 'is newer than macOS 13: 14 and later'),
    (r'\b(?:withDiscardingTaskGroup|withThrowingDiscardingTaskGroup|DiscardingTaskGroup|TaskExecutor|globalConcurrentExecutor|withTaskExecutorPreference|withTaskPriorityEscalationHandler|withExtendedLifetimeOfTask|SerialExecutor)\b|\bexecutorPreference:|\bTask\.(?:immediate|startSynchronously|name)\b', 'is newer than macOS 13: 14, 15 or 26'),
    (r'\bU?Int128\b|\bRangeSet\b|\bDiscontiguousSlice\b|\.removingSubranges\(|\.indices\(where:|\.indices\(of:|\bMutex<|\bAtomic<|\b(?:Raw)?Span<|\bInlineArray\b|\bMutableSpan\b|\bUTF8Span\b|String\(validating:', 'is newer than macOS 13: 15 or 26'),
    (r'encodingInvalidCharacters|\.httpFormat|HTTPFormatStyle|DateComponents\.ISO8601FormatStyle|RecurrenceRule|\.preferredLocales|TermOfAddress|NotificationCenter\.(?:MainActor|Async)Message|\bProgressManager\b|\bSubprocess\b|URL\.(?:currentDirectory|homeDirectory\()\(|AsyncSequence<|next\(isolation:|\bsuspendingClock\b', 'is newer than macOS 13'),
    (r'\b(?:struct|class|enum|actor) \w+<[^>]*\beach\b', 'needs the library of macOS 14'),
]


# SF Symbols by name. A misspelt one, or one of a newer system, is drawn as nothing. All of these
# are in macOS 11.
SYMBOLS = set("""
    arrow.counterclockwise checkmark checkmark.circle.fill checkmark.seal.fill circle circle.fill clock cylinder.split.1x2 doc.on.doc ellipsis.circle
    exclamationmark.octagon.fill exclamationmark.shield exclamationmark.triangle exclamationmark.triangle.fill gearshape.2
    hand.raised.fill info.circle list.bullet.rectangle lock.fill lock.shield minus pause.circle pause.circle.fill plus
    puzzlepiece.extension shield.slash xmark.octagon
""".split())
SYMBOL = re.compile(r'(?:systemName: |systemImage: |symbol: )([^\n]*)')


def symbols(text):
    """@returns each literal in an argument that names a symbol, and in a property of that name."""
    for match in SYMBOL.finditer(text): yield from re.findall(r'"([^"]*)"', match.group(1).split(', title:')[0])
    for body in re.findall(r'var symbol: String \{(.*?)\n    \}', text, re.S): yield from re.findall(r'"([^"]*)"', body)


# What is built against the surface.
APP = ['Sources/Shell', 'Sources/KeychainMaker']


def check_app(folder):
    """Checks that newer API is in one file, and that the app uses nothing that can't be checked or that a Mac lacks."""
    for path in sorted(glob.glob(f'{folder}/**/*.swift', recursive=True)):
        with open(path) as file: text = file.read()
        for name in symbols(text):
            if name not in SYMBOLS: problems.append(f'{path}: "{name}" is no symbol of the list in tools/check_surface.py')
        for number, line in enumerate(text.split('\n'), 1):
            for pattern, why in BANNED + NOT_ON_A_MAC:
                if any(place in why and path.endswith(place) for place in (NEWER, CALLED, OWN_COLOUR)): continue
                if re.search(pattern, line) and '@available(*, unavailable)' not in line: problems.append(f'{path}:{number}: {line.strip()[:80]}: {why}')


def check_rules_folder(folder='Sources/ShellRules'):
    """Checks the code that is built on Linux and on a Mac: API that only Linux has must be inside `#if`."""
    for path in sorted(glob.glob(f'{folder}/**/*.swift', recursive=True)):
        with open(path) as file: text = file.read()
        # Leaves out what isn't for a Mac, and keeps the numbers of the lines.
        text = re.sub(r'(#if (?:canImport\(Darwin\)|os\(macOS\))\n.*?)(#else\n)(.*?)(?=\s*#endif)', lambda found: found.group(1) + found.group(2) + re.sub(r'[^\n]', '', found.group(3)), text, flags=re.S)
        for number, line in enumerate(text.split('\n'), 1):
            for pattern, why in [*NOT_ON_A_MAC, CRASHES]:
                if re.search(pattern, line): problems.append(f'{path}:{number}: {line.strip()[:80]}: {why}')


def check_use():
    """Checks that the app uses each declaration."""
    app = '\n'.join(open(path).read() for folder in [*APP, 'Sources/ShellRules'] for path in glob.glob(f'{folder}/**/*.swift', recursive=True))
    surface = '\n'.join(re.sub(r'//.*', '', open(path).read()) for path in glob.glob('PlatformSurface/*/*.swift'))
    for path in sorted(glob.glob('PlatformSurface/*/*.swift')):
        with open(path) as file:
            for number, line in enumerate(file, 1):
                found = re.match(r'\s*(?:(?:@\w+|public|open|nonisolated|static|class|final|@_\w+)\s+)*(?:func|var|let|struct|class|enum|protocol) `?(\w+)', line)
                if not found or line.strip().startswith('//'): continue
                name = found.group(1)
                if name.startswith('build') or name == 'callAsFunction' or re.search(rf'\b{name}\b', app): continue
                if len(re.findall(rf'\b{name}\b', surface)) > 1: continue
                problems.append(f'{path}:{number}: {name} is used by nothing')


if GRAPHS == '--app':
    check_app(sys.argv[2])
    for problem in problems: print(problem)
    sys.exit(bool(problems))
counts = check_declarations()
for folder in APP: check_app(folder)
check_rules_folder()
check_use()
for problem in problems: print(problem)
for framework in sorted({framework for framework, _ in counts}):
    said = collections.Counter()
    for kind, words in SOURCES.items(): said[words] += counts[framework, kind]
    print(f'{framework}: ' + ', '.join(f'{count} {words}' for words, count in said.items() if count))
print(f'{sum(counts.values())} declarations, {len(problems)} problems')
sys.exit(bool(problems))
