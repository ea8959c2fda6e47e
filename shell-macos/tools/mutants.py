#!/usr/bin/env python3
"""Plants mistakes in a copy of the app. Each must be caught by the type check, the rules of app code, the tests of the views or the
rules of texts. Nobody on Linux would see a mistake that they miss.

Usage: mutants.py BUILD-FOLDER [WORDS OF A NAME|WORDS OF ANOTHER…], from shell-macos/ after a build of the tests. SWIFTC names the compiler, `inswift swiftc` by
default off a Mac.
"""
import atexit, json, os, queue, re, shutil, subprocess, sys, threading
from concurrent.futures import ThreadPoolExecutor

SOURCES = 'Sources/Shell'
# Each run has its own, so two runs don't plant in one copy.
ROOM = f'.build/planting-{os.getpid()}'
TEXT_CHECK = os.path.abspath('tools/check_strings.py')
COMPILER = os.path.abspath('../node_modules/.bin/tsc')
SWIFTC = os.environ.get('SWIFTC', 'inswift swiftc').split()
# The tests that draw the app's views and press their buttons, the quickest first. A folder's own
# tests run before the others.
VIEW_TESTS = ['PromptTests', 'TouchIDTests', 'UnprovedTests', 'MenuBarItemTests', 'FirstRunViewTests', 'StartingDaemonTests', 'AppTests', 'DeskViewTests', 'SettingsViewTests', 'ScreenTests']
TESTS_OF = {'Daemon': 'StartingDaemonTests', 'Settings': 'SettingsViewTests', 'Sheets': 'DeskViewTests', 'Showing': 'DeskViewTests', 'Menu': 'MenuBarItemTests', 'FirstRun': 'FirstRunViewTests', 'Windows': 'AppTests'}

# Name, file, then pairs: the code there, and the code that replaces it.
MUTANTS = [
    ('an answer for another card', 'App/ShellModelEffects.swift', 'send(.sheet(id: id, .answered(answer)))', 'send(.sheet(id: "", .answered(answer)))'),
    ('coming to the front as of macOS 14, unasked', 'Windows/Activation.swift', 'activate(ignoringOtherApps: true)', 'activate()'),
    ('a version asked for where it does not belong', 'Menu/MenuBarItem.swift', 'var symbol: String {\n        switch self {', 'var symbol: String {\n        if #available(macOS 15, *) { return "lock.shield" }\n        return switch self {'),
    ('a body that never is', 'Settings/EmptyState.swift', 'var body: some View {\n', 'var body: some View {\n        fatalError()\n    }\n\n    private var drawn: some View {\n'),
    ('a selector elsewhere', 'Menu/MenuBarItem.swift', 'action: nil', 'action: Selector(("none"))'),
    ('a symbol that does not exist', 'Menu/MenuBarItem.swift', '"lock.shield"', '"lock.shield.half"'),
    ("a texts' key with a name in it", 'Showing/WrappedText.swift', 'Text(verbatim: text)', 'Text("\\(text)")'),
    ('observation of macOS 14', 'App/ShellModel.swift', 'final class ShellModel: ObservableObject', '@Observable final class ShellModel'),
    ('each answer sent as the first', 'Showing/ChoiceButtons.swift', 'Button(choice.label) { chosen(choice.answer) }', 'Button(choice.label) { chosen(choices[0].answer) }'),
    ('Return on Approve', 'Showing/ChoiceButtons.swift', 'return keys.contains(.escape) ? .cancelAction : nil', 'return keys.contains(.escape) ? .cancelAction : .defaultAction'),
    ('Esc approves', 'Showing/ChoiceButtons.swift', 'EscapeKey { chosen(choice.answer) }', 'EscapeKey { chosen(choices[0].answer) }'),
    ('Esc does nothing', 'Showing/ChoiceButtons.swift', 'choice.keys == [.returnKey, .escape]', 'choice.keys == [.escape]'),
    ('a verdict before its time', 'Showing/ChoiceButtons.swift', '                .disabled(!choice.state.isEnabled)\n', ''),
    ('Deny sends approve', 'Sheets/DecisionBar.swift', 'choices: sheet.choices(at: now), chosen: send)', 'choices: sheet.choices(at: now)) { send($0 == .pressed(.no) ? .pressed(.yes) : $0) }'),
    ('a pairing whose choices nobody takes', 'Sheets/AskCard.swift', '{ send(.chose($0)) }', '{ _ = $0 }'),
    ('a card answered for another', 'Sheets/DeskWindow.swift', 'model.send(.sheet(id: sheet.id, $0))', 'model.send(.sheet(id: sheet.views[0].title, $0))'),
    ('a yes to what was not read', 'Sheets/ConfirmationPromptView.swift', 'choices(endWasShown: endWasShown)', 'choices(endWasShown: true)'),
    ('an end read before it was shown', 'Sheets/ReadingBox.swift', '.onAppear { if isInSight { shown() } }', '.onAppear { shown() }'),
    ('Cancel confirms', 'Sheets/PassphraseFields.swift', 'isConfirmed ? typed : nil', 'typed'),
    ('a passphrase kept', 'Sheets/PassphraseFields.swift', '        typed = ""\n', ''),
    ('Return before it may', 'Sheets/PassphraseFields.swift', 'if prompt.canConfirm(typed: typed, endWasShown: endWasShown) { finish(true) }', 'finish(true)'),
    ('a passphrase typed above what it allows', 'Sheets/PassphraseFields.swift', '            WrappedText(prompt.sentence)\n', '', '            if let remark', '            WrappedText(prompt.sentence)\n            if let remark'),
    ('a passphrase in the clear', 'Sheets/PassphraseFields.swift', 'SecureField("Owner Passphrase"', 'TextField("Owner Passphrase"'),
    ('a password in the clear', 'Settings/Connections/FieldLine.swift', 'case .secret: SecureField(', 'case .secret: TextField('),
    ('a field that fills another', 'Settings/Connections/ConnectionEditor.swift', 'text: $form[shown: field.key]', 'text: $form[section.id]'),
    ('a secret left in clipboard histories', 'Showing/CopyButton.swift', 'if isSecret {', 'if !isSecret {'),
    ('a token copied as any text', 'Settings/Integrations/MintedTokenView.swift', ', isSecret: true', ''),
    ('quitting never answered', 'App/AppDelegate.swift', '            sender.reply(toApplicationShouldTerminate: quits)\n', ''),
    ('the first of several links only', 'App/AppDelegate.swift', 'for link in links { model.send(.opened(address: link)) }', 'if let link = links.first { model.send(.opened(address: link)) }'),
    ('a click on a notice that shows nothing', 'App/ShellModel.swift', 'self?.send(.noticeClicked(id: id)) }', '_ = (self, id) }'),
    ('the links of the launch dropped', 'App/AppDelegate.swift', '        open(links)\n    }\n\n    private', '    }\n\n    private'),
    ('a link dropped', 'App/AppDelegate.swift', '        for link in links { model.send(.opened(address: link)) }\n', ''),
    ('brakes that need a proof', 'App/ShellModelAsking.swift', '        if client == nil, state.link.isUnproved { return await daemon.brakes.ask(command, because: state.link.sentence) }\n', ''),
    ('a daemon that Quit leaves behind without a proof', 'App/ShellModel.swift', '        if state.link.isUnproved { _ = await daemon.brakes.ask(Command.Stop()) }\n', ''),
    ('grants kept where they are taken back', 'Settings/Advanced/PassphraseSection.swift', 'decide(.takeBack)', 'decide(.keep)'),
    ('grants that nobody is asked about', 'Settings/Advanced/PassphraseSection.swift', 'if wasChosen, !pane.unconfirmed.isEmpty { isDeciding = true }', '_ = pane'),
    ('a daemon that Quit leaves behind', 'App/ShellModel.swift', '        await StoppingDaemon.ask(client, link: link)\n', ''),
    ('a question that takes the keys', 'Windows/KeptWindow.swift', 'window.orderFrontRegardless()', 'window.makeKeyAndOrderFront(nil)'),
    ('a card closed without an answer', 'Windows/Windows.swift', '.sheet(id: $0.id, isClosing ? .closed : .cameToFront)', '.sheet(id: $0.id, .cameToFront)'),
    ('a window that never counts as closed', 'Windows/Windows.swift', '            self?.model?.send(.presence(.closed(kind)))\n', ''),
    ('a click that lands in a window just come', 'Windows/Windows.swift', 'self?.tell(self?.event(of: kind, isClosing: false))', 'self'),
    ('a prompt given up that says yes', 'Windows/Prompts.swift', 'prompt.windowSize, givenUp: false', 'prompt.windowSize, givenUp: true'),
    ('Save before it may', 'Settings/Connections/ConnectionEditor.swift', 'isReady: form.isChanged && !isSaving', 'isReady: !isSaving'),
    ('a removal unasked', 'Settings/Connections/ConnectionsPane.swift', '        isRemoving = true\n', '        if let row = selectedRow { remove(row) }\n'),
    ('a choice that is not offered', 'Settings/Connections/FieldLine.swift', 'ForEach(field.choices)', 'ForEach(field.choices.dropFirst())'),
    ('the fields of the other pane', 'Settings/Connections/ConnectionEditor.swift', 'form.sections(of: pane)', 'form.sections(of: .general)'),
    ('a URL with its password kept', 'Settings/Connections/ConnectionEditor.swift', '        url = ""\n', ''),
    ('a URL that was read for nothing', 'Settings/Connections/ConnectionEditor.swift', 'form.paste(await model.attempt(command))', '_ = await model.attempt(command)'),
    ('snippets that are never asked for', 'Settings/Integrations/ConnectClientView.swift', '        .onAppear { Task { sheet.take(await model.attempt(Command.SnippetsList())) } }\n', ''),
    ('nothing to copy, and no word why', 'Settings/Integrations/ConnectClientView.swift', '                    if let problem = sheet.problem { Remark(sentence: problem) }\n', ''),
    ('Delete revokes', 'Settings/Integrations/AuthenticationSection.swift', 'delete: { await model.ask(Command.TokensDelete(id: row.id)) }', 'delete: { await model.ask(Command.TokensRevoke(id: row.id)) }'),
    ('another token revoked', 'Settings/Integrations/AuthenticationSection.swift', 'Command.TokensRevoke(id: row.id)', 'Command.TokensRevoke(id: rows.last?.id ?? row.id)'),
    ('a switch the wrong way round', 'Settings/Integrations/ServerSection.swift', 'ServerPane.switchCommand(isOn: isOn)', 'ServerPane.switchCommand(isOn: !isOn)'),
    ('a passphrase turned off unasked', 'Settings/Advanced/PassphraseSection.swift', 'if action == .turnOff { isTurningOff = true }', 'if action == .turnOff { Task { await model.ask(Command.PassphraseOff()) } }'),
    ('a reset that sets', 'Settings/Advanced/PassphraseSection.swift', 'isReset ? await model.attempt(reset) : await model.attempt(command)', 'await model.attempt(command)'),
    ('a reset that says nothing of what it takes back', 'Settings/Advanced/PassphraseSection.swift', '                    if isReset { Remark(sentence: PassphrasePane.resetNote, isProblem: false) }\n', ''),
    ('a reset that waits unsaid', 'Settings/Advanced/PassphraseSection.swift', '            if let reset = pane.reset { Remark(sentence: reset) }\n', ''),
    ('one that chose it asked for ever', 'Settings/Advanced/PassphraseSection.swift', 'if pane.doubt != nil {', 'if pane.doubt == nil {'),
    ('a passphrase shown as it was', 'App/ShellModelEffects.swift', '            await self?.askStatus()\n', ''),
    ('half a number sent', 'Settings/Advanced/SettingLine.swift', 'if form.appliesAtOnce { apply() }', 'apply()'),
    ('a setting that is never sent', 'Settings/Advanced/SettingLine.swift', '                .onSubmit(apply)\n', ''),
    ('an item of the menu that does another\'s work', 'Menu/MenuBarItem.swift', 'model?.send(.chose(action))', 'model?.send(.chose(action == .pause ? .quit : action))'),
    ('an item of the menu without a target', 'Menu/MenuPress.swift', '        item.target = self\n', ''),
    ('a target that is gone', 'Menu/MenuPress.swift', '        item.representedObject = self\n', ''),
    ('an action by another name', 'Menu/MenuPress.swift', 'Selector(("press"))', 'Selector(("pressed"))'),
    ('a headline to be pressed', 'Menu/MenuBarItem.swift', '                dimmed.isEnabled = false\n', ''),
    ('items that AppKit dims', 'Menu/MenuBarItem.swift', '        made.menu?.autoenablesItems = false\n', ''),
    ('an item that can not be dragged out', 'Menu/MenuBarItem.swift', '        made.behavior = .removalAllowed\n', ''),
    ('an item that comes back', 'Menu/MenuBarItem.swift', '            return model.send(.presence(.removedFromMenuBar))\n', ''),
    ('an icon that says the contrary', 'Menu/MenuBarItem.swift', 'case .off: "shield.slash"', 'case .off: "lock.shield"'),
    ('a restored window of questions', 'Windows/KeptWindow.swift', '        window.isRestorable = false\n', ''),
    ('a pane under the tab of another', 'Settings/SettingsTabs.swift', 'case .advanced: AdvancedPane(model: model)', 'case .advanced: ConnectionsPane(model: model)'),
    ('two windows of Settings', 'Windows/Windows.swift', 'windows[kind] ?? watched(make(), kind)', 'watched(make(), kind)'),
    ('a failure in Settings kept back', 'App/ShellModelAsking.swift', 'if !failure.isGivenUp { windows.tell(failure.sentence) }', '_ = failure'),
    ('an item without a name', 'Menu/MenuBarItem.swift', '        made.autosaveName = "Sallyport"\n', ''),
    ('an item that stays hidden for ever', 'Menu/MenuBarItem.swift', '            item.isVisible = isWanted\n', ''),
    ('a menu that stays as it was', 'Menu/MenuBarItem.swift', 'model.state.menu != drawn', 'drawn == nil'),
    ('Settings closed, and counted as open', 'Windows/Windows.swift', 'self?.model?.send(.presence(.closed(kind)))', 'if kind != .settings { self?.model?.send(.presence(.closed(kind))) }'),
    ('Settings over all other windows', 'Windows/KeptWindow.swift', 'kind == .settings ? .normal : .floating', '.floating'),
    ('Settings with the views of yesterday', 'Windows/Windows.swift', '            if kind == .settings { self?.settings = nil }\n', ''),
    ('another pane of Settings', 'Settings/SettingsTabs.swift', 'SettingsPane.allCases.firstIndex(of: pane) ?? 0', '0'),
    ('Command-comma for another', 'Settings/SettingsCommands.swift', '.chose(.openSettings)', '.chose(.quit)'),
    ('another item of the keychain', 'Daemon/Keychain.swift', 'kSecAttrAccount as String: account', 'kSecAttrAccount as String: ShellSecret.keychainService'),
    ("a class of macOS 14's library", 'App/ShellModelEffects.swift', 'NSApplication.shared.terminate(nil)', 'Task { await withDiscardingTaskGroup { _ in } }\n        NSApplication.shared.terminate(nil)'),
    ('an address as macOS 14 reads it', 'App/LinkHandlers.swift', 'URL(string: address)', 'URL(string: address, encodingInvalidCharacters: false)'),
    ('a number of macOS 15', 'Daemon/BundlePlaces.swift', '    var daemon: URL {', '    var count: Int128 { 1 }\n    var daemon: URL {'),
    ('a bridge of Linux\'s Foundation', 'App/LinkHandlers.swift', 'displayName(atPath: app.path)', 'displayName(atPath: app.path._bridgeToObjectiveC().description)'),
    ('Core Foundation by name', 'App/ShellModelEffects.swift', 'import AppKit', 'import AppKit\nimport CoreFoundation'),
    ('a window left behind', 'Windows/Activation.swift', '        window?.orderFrontRegardless()\n', ''),
    ('a question\'s window of any size', 'Windows/KeptWindow.swift', '        window.setContentSize(size)\n', ''),
    ('a denial asked about again', 'Daemon/Keychain.swift', 'status == errSecUserCanceled ||', 'status == errSecSuccess ||'),
    ('the agent of another build kept', 'Daemon/DaemonControl.swift', 'case .registerAgentAnew: isLeftToAgent = await agent.registerAnew()', 'case .registerAgentAnew: isLeftToAgent = await agent.start()'),
    ('a daemon that did not come up, and no child', 'App/ShellModelEffects.swift', 'if let problem = daemon.fallBack()', 'if let problem = Optional("")'),
    ('a fall-back that nobody is told of', 'App/ShellModelEffects.swift', '                send(.started(note: DaemonStart.fellBackSentence))\n', '                return\n'),
    ('no daemon at all, told as one', 'App/ShellModelEffects.swift', '                windows.tell(DaemonStart.failedSentence(problem))\n            } else', '                _ = problem\n                send(.started(note: DaemonStart.fellBackSentence))\n            } else'),
    ('a daemon refused twice, and nobody told', 'App/ShellModelEffects.swift', 'return windows.tell(DaemonStart.failedSentence(problem))', 'return _ = problem'),
    ('a child beside a daemon that came up', 'App/ShellModelEffects.swift', 'while await daemon.waitForAgent(), !state.isDaemonUp {', 'while await daemon.waitForAgent() || true {'),
    ('a child for a daemon that was stopped', 'Daemon/DaemonControl.swift', '!= nil && isLeftToAgent', '!= nil'),
    ('a child beside a daemon that is denied', 'App/ShellModelEffects.swift', 'while await daemon.waitForAgent(), !state.isDaemonUp {', 'while await daemon.waitForAgent() {'),
    ('a child without a wait', 'Daemon/DaemonControl.swift', 'try? await pause(DaemonStart.secondsToComeUp(hasComeUp: hasComeUp))', 'try? await pause(0)'),
    ('a child waited for as launchd\'s', 'Daemon/DaemonControl.swift', '        guard isLeftToAgent else { return false }\n', ''),
    ('an agent that launchd has lost, for ever', 'Daemon/DaemonControl.swift', '            if !isLeftToAgent { isLeftToAgent = await agent.registerAnew() }\n', ''),
    ('an agent registered though it is', 'Daemon/DaemonControl.swift', 'if !isLeftToAgent { isLeftToAgent =', 'do { isLeftToAgent ='),
    ('a registration refused once given up', 'Daemon/LaunchAgent.swift', 'for _ in 0..<DaemonStart.mostRegistrations {', 'for _ in 0..<1 {'),
    ('a registration without a pause', 'Daemon/LaunchAgent.swift', '            guard (try? await sleep(DaemonStart.secondsBetweenRegistrations)) != nil else { break }\n', ''),
    ('a registration tried for ever', 'Daemon/LaunchAgent.swift', 'for _ in 0..<DaemonStart.mostRegistrations {', 'for _ in 0..<1_000 {'),
    ('an agent that is registered taken for refused', 'Daemon/LaunchAgent.swift', '        try? service.register()\n', '        guard (try? service.register()) != nil else { return false }\n'),
    ('the child\'s coming up taken for the agent\'s', 'Daemon/DaemonControl.swift', '    func fallBack() -> String? {\n        isLeftToAgent = false\n', '    func fallBack() -> String? {\n'),
    ('a daemon that is absent, and not started', 'App/ShellModelEffects.swift', 'case .startDaemon: Task { await startDaemon() }', 'case .startDaemon: break'),
    ('a notice never taken back', 'App/Notices.swift', '            center.removeDeliveredNotifications(withIdentifiers: [id])\n', ''),
    ('a click on a notice ignored', 'App/Notices.swift', 'Task { @MainActor in onClicked(id) }', '_ = id'),
    ('opened again, and nothing shown', 'App/AppDelegate.swift', '        model.send(.reopened)\n', ''),
    ('a list that stays as it was', 'App/ShellModelAsking.swift', '        loadLists()\n    }\n\n', '    }\n\n'),
    ('a default that restores nothing', 'Settings/Advanced/SettingLine.swift', 'guard let command = form.resetCommand else', 'guard let command = form.change() else'),
    ('a library that a Mac has not', 'App/ShellModelEffects.swift', 'import AppKit', 'import AppKit\nimport Glibc'),
    ('locks of macOS 15', 'App/ShellModelEffects.swift', 'import AppKit', 'import AppKit\nimport Synchronization'),
    ('Command-Q does not wait', 'App/AppDelegate.swift', 'return .terminateLater', 'return .terminateNow'),
    ('the app ends with its last window', 'App/AppDelegate.swift', 'func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool {\n        false', 'func applicationShouldTerminateAfterLastWindowClosed(_ sender: NSApplication) -> Bool {\n        true'),
    ('every launch taken for one by hand', 'App/AppDelegate.swift', 'Presence.Start(links: links.count, isAtLogin: SystemEvents.isLaunchAtLogin)', '.byHand'),
    ('the Dock icon of a launch by link', 'App/AppPresence.swift', 'shown.dock ? .regular : .accessory', 'shown.menuBar ? .regular : .accessory'),
    ('a notification without its text', 'App/Notices.swift', '        content.body = body\n', ''),
    ('a notification of another question', 'App/Notices.swift', 'UNNotificationRequest(identifier: id,', 'UNNotificationRequest(identifier: title,'),
    ('clicks on notifications not heard at launch', 'App/AppDelegate.swift', '        model.notices.listen()\n', ''),
    ('a refused decision taken for a lost one', 'App/ShellModelEffects.swift', 'case .failure(.refused(let error)): send(.sheet(id: id, .refused(error)))', 'case .failure(.refused): send(.sheet(id: id, .connectionLost))'),
    ('a decision sent without its passphrase', 'App/ShellModelEffects.swift', 'switch await attempt(command, passphrase: passphrase)', 'switch await attempt(command, passphrase: nil)'),
    ('an address opened before it is answered', 'App/ShellModelEffects.swift', 'if !LinkHandlers.open(address, takenBy: app) { windows.tell(PairingChoices.otherAppSentence) }', '_ = (address, app)'),
    ('an address opened with another app', 'App/LinkHandlers.swift', '?.app != app { return false }', '?.app != app { return true }'),
    ('pause resumes', 'App/ShellModelEffects.swift', 'case .pause: Task { await ask(Command.Pause()) }', 'case .pause: Task { await ask(Command.Resume()) }'),
    ('launched by hand, and nothing shown', 'App/ShellModel.swift', '                send(.launchedByHand)\n', ''),
    ('a client kept after the link is lost', 'App/ShellModel.swift', '        case .lost: client = nil\n', '        case .lost: break\n'),
    ('prompts that no window counts', 'App/ShellModel.swift', 'self?.send(.presence(isShown ? .opened(.prompt) : .closed(.prompt)))', 'self?.send(.presence(.closed(.prompt)))'),
    ('a card that takes the keys', 'App/ShellModelEffects.swift', 'windows.showDesk(isUnasked: true)', 'windows.showDesk()'),
    ('a card not deaf when it comes', 'Windows/Windows.swift', '.sheet(id: $0.id, isClosing ? .closed : .cameToFront)', '.sheet(id: $0.id, .closed)'),
    ('two prompts at once', 'Windows/Prompts.swift', '        if let open {\n            open.comeToFront()\n            return givenUp\n        }\n', ''),
    ('a prompt that never answers', 'Windows/Prompts.swift', '                once?.resume(returning: answer)\n', '                if once == nil { once?.resume(returning: answer) }\n'),
    ('a window released under us', 'Windows/KeptWindow.swift', '        window.isReleasedWhenClosed = false\n', ''),
    ('a window on another space', 'Windows/KeptWindow.swift', '.moveToActiveSpace, ', ''),
    ('a window without a delegate', 'Windows/KeptWindow.swift', '        window.delegate = self\n', ''),
    ('a pairing that stands behind', 'Windows/Windows.swift', 'case .desk: showDesk()', 'case .desk: showDesk(isUnasked: true)'),
    ('a notice that stays', 'Windows/Windows.swift', '[weak self] in self?.close(.notice) }', '[weak self] in _ = self }'),
    ('an old sentence in the notice', 'Windows/Windows.swift', '        close(.notice)\n        let notice', '        let notice'),
    ('what a statement takes, left out', 'Sheets/StatementRowView.swift', 'case .takes: ours(symbol: "minus")', 'case .takes: EmptyView()'),
    ("blanks that are counted, shown as the statement's text", 'Sheets/StatementRowView.swift', 'case .line, .continued:', 'case .line, .continued, .blanks:', '        case .blanks: ours(symbol: "ellipsis.circle")\n', ''),
    ('a number of runs that is never taken', 'Sheets/DecisionBar.swift', 'set: { send(.choseTimes($0)) }', 'set: { _ in }'),
    ('a notification that was switched off', 'App/ShellModelEffects.swift', 'if await client?.mayTellOfRequests() == true { notices.give(notice) }', 'notices.give(notice)'),
    ('a question without its facts', 'Sheets/AskCard.swift', '            FactGrid(facts: view.shownFacts)\n', ''),
    ('a pairing without its facts', 'Sheets/AskCard.swift', '                    FactGrid(facts: sheet.views[0].shownFacts)\n', ''),
    ('an increase without its sentence', 'Sheets/AskCard.swift', 'if let sentence = sheet.sentence { WrappedText(sentence) }', ''),
    ('a pairing that can be changed after it was sent', 'Sheets/AskCard.swift', '                        .disabled(!sheet.deciding.isOpen)\n', ''),
    ('a connection ticked when it is unticked', 'Sheets/PairingForm.swift', '.one(id: row.id, $0)', '.one(id: row.id, !$0)'),
    ('an expiry that is never taken', 'Sheets/PairingForm.swift', '{ .expiry($0) }', '{ _ in .expiry(pairing.expires) }'),
    ('what would change left out', 'Sheets/ReadingBox.swift', 'if !facts.isEmpty {', 'if facts.count > 9 {'),
    ('two facts of one label drawn as one', 'Showing/FactGrid.swift', 'ForEach(Array(facts.enumerated()), id: \\.offset) { _, fact in', 'ForEach(facts) { fact in'),
    ('a card without its statement', 'Sheets/AskCard.swift', 'ForEach(view.statementRows)', 'ForEach(view.statementRows.filter { _ in false })'),
    ('one request of several shown', 'Sheets/AskCard.swift', 'ForEach(sheet.views)', 'ForEach(sheet.views.prefix(1))'),
    ('what a request takes, read before it was counted', 'Sheets/AskCard.swift', '.id(sheet.reading)', '.id(sheet.id)'),
    ('requests that nobody opens', 'App/ShellModelEffects.swift', 'case .success(let answer): send(.sheet(id: id, .opened(answer.asks)))', 'case .success: break'),
    ('what became of it, unsaid', 'Sheets/DeskWindow.swift', 'if let remark = desk.remark { Remark(sentence: remark, isProblem: false) }', ''),
    ('one request ticked with all', 'Sheets/DeskWindow.swift', '.desk(.ticked(id: row.id, $0))', '.desk(.tickedAll($0))'),
    ('a level that no button gives', 'Sheets/DecisionBar.swift', 'choices: sheet.levels(at: now)', 'choices: sheet.levels(at: now).filter { _ in false }'),
    ('a level given and unsaid', 'App/ShellModelEffects.swift', 'send(.sheet(id: id, .allowedWriting))', '_ = id'),
    ('what nobody confirmed, unsaid', 'App/ShellModel.swift', 'self?.send(.unconfirmed)', '_ = self'),
    ('a claim shown as a fact', 'Showing/FactGrid.swift', 'if fact.standing == .claim {', 'if fact.standing == .fact {'),
    ('a claim that VoiceOver tells as a fact', 'Showing/FactGrid.swift', 'Text(verbatim: fact.spoken)', 'Text(verbatim: fact.value)'),
    ('a text of the daemon read as Markdown', 'Sheets/AskCard.swift', 'Text(verbatim: sheet.title)', 'Text(LocalizedStringKey(sheet.title))'),
    ('a token sheet that Esc throws away', 'Settings/Integrations/MintedTokenView.swift', '        .interactiveDismissDisabled()\n', ''),
    ('the token on screen recordings', 'Settings/Integrations/MintedTokenView.swift', '                    .privacySensitive()\n', ''),
    ('an ended token revoked again', 'Settings/Integrations/AuthenticationSection.swift', '.disabled(!row.canRevoke)', ''),
    ('a turning off that is no destructive act', 'Settings/Advanced/PassphraseSection.swift', 'Button("Turn Off", role: .destructive)', 'Button("Turn Off")'),
    ('a new passphrase in the clear', 'Settings/Advanced/PassphraseSection.swift', 'SecureField("Verify", text: $form.again)', 'TextField("Verify", text: $form.again)'),
    ('a passphrase set before it may', 'Settings/Advanced/PassphraseSection.swift', 'isReady: form.command != nil', 'isReady: true'),
    ('settings of a daemon that is away', 'Settings/Advanced/AdvancedPane.swift', '        .disabled(model.state.link != .connected)\n', ''),
    ('a refused setting that says nothing', 'Settings/Advanced/SettingLine.swift', 'case .failure(let failure): form.refused(failure)', 'case .failure: break'),
    ('a default restored to the same', 'Settings/Advanced/SettingLine.swift', 'if !form.isDefault { restoring }', 'if form.isDefault { restoring }'),
    ('a removal of the selected instead of the asked', 'Settings/Connections/ConnectionsPane.swift', '        selected = id\n        isRemoving = true', '        isRemoving = true'),
    ('a test without a selection', 'Settings/Connections/ConnectionsPane.swift', '.disabled(selected == nil || isTesting)', '.disabled(isTesting)'),
    ('Delete key removes unasked', 'Settings/Connections/ConnectionsPane.swift', '.onDeleteCommand { if let selected { askToRemove(selected) } }', '.onDeleteCommand { if let row = selectedRow { remove(row) } }'),
    ('a problem that is never shown', 'Settings/Connections/FieldLine.swift', '        if let problem { Remark(sentence: problem) }\n', ''),
    ('a number lost with its focus', 'Settings/Advanced/SettingLine.swift', 'if !hasFocus { apply() }', '_ = hasFocus'),
    ('a number lost with its window', 'Settings/Advanced/SettingLine.swift', '        .onDisappear(perform: apply)\n', ''),
    ('what was typed sent behind its default', 'Settings/Advanced/SettingLine.swift', '        form = SettingForm(form.view)\n', ''),
    ('a refused setting told in a window', 'Settings/Advanced/SettingLine.swift', 'case .failure(let failure): form.refused(failure)', 'case .failure(let failure): model.windows.tell(failure.sentence)'),
    ('a test of what is saved instead of typed', 'Settings/Connections/ConnectionEditor.swift', 'drafted(form.trying)', 'drafted(ConnectionForm.opening(form.connection))'),
    ('a test that saves', 'Settings/Connections/ConnectionEditor.swift', 'let dialled = form.values\n', 'let dialled = form.values\n        _ = await drafted(form.saving) { $0 }\n'),
    ('a host key that is never trusted', 'Settings/Connections/ConnectionEditor.swift', 'Task { await test(hostKey) }', 'Task { await test(hostKey.isEmpty ? hostKey : nil) }'),
    ('a host key of the list that is never trusted', 'Settings/Connections/ConnectionsPane.swift', 'Task { await test(selected, hostKey) }', 'Task { await test(selected, hostKey.isEmpty ? hostKey : nil) }'),
    ('a problem in the pane that is not shown', 'Settings/Connections/ConnectionEditor.swift', 'if let refused = form.refusedPane { pane = refused }', ''),
    ('a field that says nothing while it is empty', 'Settings/Connections/FieldLine.swift', 'case .text: TextField(field.title, text: $text, prompt: prompt)', 'case .text: TextField(field.title, text: $text)'),
    ("a colour of one's own not drawn", 'Settings/Connections/ColourDot.swift', 'ConnectionColour.components(colour).map', 'Optional([Double]()).flatMap { $0.isEmpty ? nil : $0 }.map'),
    ('a field without what it says below', 'Settings/Connections/FieldLine.swift', '        if let remark = field.remark { Remark(sentence: remark, isProblem: false) }\n', ''),
    ('a mode that is saved, and not shown', 'Settings/Connections/ConnectionEditor.swift', 'text: $form[shown: field.key]', 'text: $form[field.key]'),
    ('a problem under each field', 'Settings/Connections/ConnectionEditor.swift', 'problem: form.problem(field)', 'problem: form.refusal?.sentence'),
    ('the form of a new connection for a saved one', 'Settings/Connections/ConnectionsPane.swift', 'ConnectionForm.opening(id)', 'ConnectionForm.opening()'),
    ('a box revoked as a token', 'Settings/Integrations/BoxesSection.swift', 'Command.BoxesRevoke(id: row.id)', 'Command.TokensRevoke(id: row.id)'),
    ('another box revoked', 'Settings/Integrations/BoxesSection.swift', 'Command.BoxesRevoke(id: row.id)', 'Command.BoxesRevoke(id: rows.first?.id ?? row.id)'),
    ('boxes that are never asked for', 'Settings/Integrations/BoxesSection.swift', '                .onAppear { load() }\n', ''),
    ('a box without its socket', 'Settings/Integrations/AuthenticationSection.swift', '            if let socket = row.socket { Text(verbatim: socket).font(.caption.monospaced()).textSelection(.enabled) }\n', ''),
    ('a file chosen, and not taken', 'Settings/Connections/FieldLine.swift', 'let path = panel.url?.path { text = path }', 'let path = panel.url?.path { _ = path }'),
    ('a child told of everything', 'Daemon/DaemonControl.swift', 'process.environment = DaemonStart.environment(of: environment)', 'process.environment = environment'),
    ('two children', 'Daemon/DaemonControl.swift', '        if child?.isRunning == true { return nil }\n', ''),
    ('a badge of nothing', 'Menu/MenuBarItem.swift', 'item.button?.title = content.badge ?? ""', 'item.button?.title = content.badge ?? "0"'),
    ('an item that VoiceOver can not name', 'Menu/MenuBarItem.swift', '        item.button?.setAccessibilityLabel(localized("\\("Sallyport"): \\(content.spoken)"))\n', ''),
    ('Command-Q on Settings', 'Menu/MenuBarItem.swift', 'case .openSettings: ","\n        case .quit: "q"', 'case .openSettings: "q"\n        case .quit: ","'),
    ('tabs without their pictures', 'Settings/SettingsTabs.swift', '            tab.image = NSImage(systemSymbolName: pane.symbol, accessibilityDescription: nil)\n', ''),
    ('a client\'s claimed name without a word', 'Settings/Integrations/ClientsSection.swift', '                            Text("not verified").font(.caption).foregroundStyle(.secondary)\n', ''),
    ("the server's light the wrong way", 'Settings/Integrations/ServerSection.swift', 'case .red: ("exclamationmark.triangle.fill"', 'case .red: ("checkmark.circle.fill"'),
    ('Get Started that never looks', 'FirstRun/FirstRunWindow.swift', '        .onAppear { lookOnceConnected() }\n', ''),
    ('what was saved offered again', 'FirstRun/FirstRunWindow.swift', '            model.loadLists()\n            await look()\n', '            model.loadLists()\n'),
    ('a button of Get Started before it may', 'FirstRun/FirstRunWindow.swift', '.disabled(!row.isEnabled)', ''),
    ('a database ticked when it is unticked', 'FirstRun/FirstRunWindow.swift', 'setup.tick(option.id, $0)', 'setup.tick(option.id, !$0)'),
    ('a demo in the place of the passphrase', 'FirstRun/FirstRunWindow.swift', 'guard part != .passphrase else', 'guard part != .demo else'),
    ('clients that nobody connects', 'FirstRun/FirstRunWindow.swift', 'for words in commands {', 'for words in commands.prefix(0) {'),
    ('Get Started that stays', 'FirstRun/FirstRunWindow.swift', 'Button("Done") { model.windows.close(.firstRun) }', 'Button("Done") { model.windows.close(.notice) }'),
    ('Get Started over a question', 'Windows/Windows.swift', 'size: size, .settings, isResizable: true)\n            }', 'size: size, isResizable: true)\n            }'),
    ('Get Started at each launch', 'Windows/Windows.swift', '            UserDefaults.standard.set(true, forKey: ShellModel.firstRunKey)\n', ''),
    ('Get Started remembered in vain', 'App/ShellModel.swift', 'UserDefaults.standard.bool(forKey: ShellModel.firstRunKey)', 'false'),
    ('a symbol of SF 5', 'Settings/SettingsTabs.swift', '"gearshape.2"', '"gearshape.arrow.trianglehead.2.clockwise.rotate.90"'),
    ('Foundation\'s network library of Linux', 'App/LinkHandlers.swift', 'import AppKit', 'import AppKit\nimport FoundationNetworking'),
    ('a question without the colour of its connection', 'Sheets/AskCard.swift', 'if let colour = sheet.views[0].connection?.colour { ColourDot(colour: colour) }', ''),
    ('a card\'s title left out', 'Sheets/AskCard.swift', 'Text(verbatim: sheet.title)', 'Text(verbatim: "")'),
    ('a lock of macOS 15 in the model', 'App/LinkHandlers.swift', '@MainActor\nenum', 'import Synchronization\n@MainActor\nenum'),
    ('a launch at login taken for one by hand', 'App/SystemEvents.swift', '&& launched == OSType(keyAELaunchedAsLogInItem)', '&& launched == nil'),
    ('a dialog that keeps a Mac from shutting down', 'App/AppDelegate.swift', 'mayQuit(isMeant: isMeant)', 'mayQuit(isMeant: false)'),
    ('a quit that asks nobody', 'App/ShellModel.swift', 'guard await StoppingDaemon.isUsed(client) else', 'guard await StoppingDaemon.isUsed(client), false else'),
    ('Cancel quits', 'Windows/SystemAlert.swift', '== .alertFirstButtonReturn', '!= .alertFirstButtonReturn'),
    ('a window while the app launches', 'App/ShellModel.swift', '                await AppPresence.comeIntoTheDock()\n', '                NSApplication.shared.setActivationPolicy(.regular)\n'),
    ('a question on another space', 'Windows/KeptWindow.swift', 'kind == .comesUnasked ? .canJoinAllSpaces : .moveToActiveSpace', '.moveToActiveSpace'),
    ('a question that goes with the active app', 'Windows/KeptWindow.swift', '        window.hidesOnDeactivate = false\n', ''),
    ('a question that makes its app the active one', 'Windows/KeptWindow.swift', 'style.union(.nonactivatingPanel)', 'style'),
    ('a window on another space taken for seen', 'Windows/KeptWindow.swift', 'window.isOnActiveSpace && ', ''),
    ('a covered window taken for seen', 'Windows/KeptWindow.swift', ' && window.occlusionState.contains(.visible)', ''),
    ('a notice of what was answered meanwhile', 'App/Notices.swift', 'mayTell == true, isNews(id)', 'mayTell == true'),
    ('a notice beside its window', 'App/ShellModel.swift', ' && !windows.isInSight(.desk)', ''),
    ('a daemon that is only slow, given up', 'App/ShellModelEffects.swift', 'if await daemon.isOnItsWay() {', 'if false {'),
    ('a daemon that never comes, waited for', 'Daemon/DaemonControl.swift', '        guard waits < DaemonStart.mostWaits else { return false }\n', ''),
    ('a key that signs unseen', 'Daemon/OwnerKey.swift', '[.privateKeyUsage, .userPresence]', '[.privateKeyUsage]'),
    ('Touch ID where there is none', 'Daemon/OwnerKey.swift', 'SecureEnclave.isAvailable && LAContext()', 'LAContext()'),
    ('Touch ID for an account without a password', 'Daemon/OwnerKey.swift', ' && LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)', ''),
    ('another text signed', 'Daemon/OwnerKey.swift', 'Proofs.touched(asked.challenge)', 'asked.challenge'),
    ('a finger asked for without a word', 'Daemon/OwnerKey.swift', '            context.localizedReason = asked.reason\n', ''),
    ('a key that the next launch has lost', 'Daemon/Keychain.swift', 'item[kSecValueData as String] = Data(secret.utf8)', 'item[kSecAttrLabel as String] = secret'),
    ('Touch ID taken unasked', 'App/ShellModelAsking.swift', 'guard SystemAlert.isMeant(TouchID.offer, TouchID.offerText, yes: use, no: later) else {', 'guard SystemAlert.isMeant(TouchID.offer, TouchID.offerText, yes: use, no: later) || true else {'),
    ('Touch ID offered for ever', 'App/ShellModelAsking.swift', 'return UserDefaults.standard.set(Date(), forKey: key)', 'return'),
    ('a decision without its finger', 'App/ShellModelAsking.swift', 'typed: passphrase, touched: OwnerKey.sign)', 'typed: passphrase, touched: { _ in nil })'),
    ('a window seen behind others', 'Windows/KeptWindow.swift', 'if isInSight { onSeen() }', 'onSeen()'),
    ('a test of what was typed before', 'Settings/Connections/ConnectionEditor.swift', 'form.values == dialled {', 'form.values == dialled || true {'),
    ('a window too narrow for German', 'Sheets/PassphraseFields.swift', '.frame(width: prompt.windowSize.width)', '.frame(width: 220)'),
    ('the first of the ticked clients only', 'FirstRun/FirstRunWindow.swift', 'for words in commands {', 'for words in commands.prefix(1) {'),
    ('a daemon in use restarted', 'App/ShellModelEffects.swift', 'await !StoppingDaemon.isUsed(old)', 'await StoppingDaemon.isUsed(old)'),
    ('an app that takes a pairing\'s code, never looked up', 'App/ShellModelEffects.swift', 'scheme.flatMap { LinkHandlers.handler(of: $0) }', 'scheme.flatMap { _ in nil as Command.PairingBegin.Handler? }'),
    ('lists loaded at each change', 'App/ShellModelEffects.swift', '            guard (try? await Task.sleep(for: .milliseconds(150))) != nil else { return }\n', ''),
    ('a second prompt behind others', 'Windows/Prompts.swift', '            open.comeToFront()\n            return', '            _ = open\n            return'),
    ('the next question with the view before', 'Sheets/DeskWindow.swift', '                        .id(sheet.id)\n', ''),
    ('a double click on what is selected', 'Settings/Connections/ConnectionsPane.swift', 'primaryAction: { ids in\n            if let id = ids.first', 'primaryAction: { ids in\n            if let id = selected ?? ids.first'),
    ('a question that VoiceOver does not say', 'Windows/KeptWindow.swift', '.announcement: spoken', '.announcement: ""'),
    ('a key of questions that stays ours', 'App/DeskKey.swift', '            UnregisterEventHotKey(key)\n', ''),
    ('a key of questions that brings nothing', 'App/DeskKey.swift', 'model?.send(.chose(.showDesk))', '_ = model'),
    ('the key of another app', 'App/DeskKey.swift', 'controlKey | optionKey | cmdKey', 'cmdKey'),
    ('a card read twice', 'Sheets/DecisionBar.swift', 'wasRead: sheet.pairing == nil', 'wasRead: false'),
    ('a passphrase above a pairing that nobody has read', 'Sheets/DecisionBar.swift', 'wasRead: sheet.pairing == nil', 'wasRead: true'),
    ('a key that denies and allows', 'Showing/ChoiceButtons.swift', 'if keys.contains(.commandReturn) { return KeyboardShortcut(.return) }', 'if keys.contains(.commandReturn) { return .defaultAction }'),
    ('Touch ID with the passphrase before', 'App/ShellModelAsking.swift', '(command as? Command.PassphraseSet)?.passphrase ?? typed.use { $0 }', 'typed.use { $0 }'),
    ('Touch ID offered to whom it was refused', 'App/ShellModelAsking.swift', 'guard TouchID.mayBeOffered(declined: declined, now: Date()) else { return }', '_ = declined'),
    ('Touch ID that stays on', 'App/ShellModelAsking.swift', 'if isOn { await useTouchID(attempt) } else', 'if isOn || !isOn { await useTouchID(attempt) } else'),
    ('Touch ID on a Mac that has none', 'Settings/Advanced/PassphraseSection.swift', '        .disabled(!isOn && !OwnerKey.canBeMade)\n', ''),
    ('Get Started that looks where nothing is', 'FirstRun/FirstRunWindow.swift', 'if model.state.link == .connected { Task { await look() } }', 'Task { await look() }'),
    ('a start that is not shown', 'FirstRun/FirstRunWindow.swift', 'if model.state.link != .connected { starting(model.state.server) }', 'EmptyView()'),
]
# The same for texts: what tools/check_strings.py or the daemon's compiler must find, in a copy of
# the sources and the table.
TABLE = '../shared/texts.json'
TEXT_MUTANTS = [
    ('a sentence in English only', 'Sources/ShellRules/Showing/Countdown.swift', 'localized("Time is up")', '"It is too late"'),
    ('a sentence put together in English', 'Sources/ShellRules/Tokens/TokenRow.swift', 'localized("Expires \\($0)")', '"Expires \\($0)"'),
    ('a sentence that is in no table', 'Sources/ShellRules/Showing/Countdown.swift', 'localized("Time is up")', 'localized("It is too late")'),
    ('a count by hand', 'Sources/ShellRules/Menu/MenuContent.swift', 'counted(count, one: "\\(number: count) waits for you", other: "\\(number: count) wait for you")', '"\\(count) wait for you"'),
    ('another form for one', 'Sources/ShellRules/Showing/Labels.swift', 'one: "After \\(number: days) day"', 'one: "After one day"'),
    ('a count beside another text', 'Sources/ShellRules/Showing/Labels.swift', 'other: "After \\(number: days) days"', 'other: "After \\(number: days) days of \\(label)"'),
    ('a text gone from the table', TABLE, '  "Deny": "Ablehnen",\n', ''),
    ('a window\'s title in English only', 'Sources/Shell/Windows/Windows.swift', 'localized("Waiting for You")', '"Waiting for You"'),
    ('a setting explained in English only', TABLE, '  "Bytes kept of one cell.": "Byte, die von einer Zelle bleiben.",\n', ''),
    ('a label of the daemon\'s in English only', TABLE, '  "Password command": "Passwortbefehl",\n', ''),
    ('a reason in English only', TABLE, '  "TRUNCATE removes every row.": "TRUNCATE löscht alle Zeilen.",\n', ''),
    ('a field\'s problem in English only', TABLE, '  "An SQLite file has no TLS.": "Eine SQLite-Datei hat kein TLS.",\n', ''),
    ('a shape\'s problem in English only', TABLE, '  "A path is expected.": "Ein Pfad wird erwartet.",\n', ''),
    ('a refusal in English only', TABLE, '  "The owner passphrase is off already.": "Das Eigentümerpasswort ist schon ausgeschaltet.",\n', ''),
    ('a text that nothing says', TABLE, '{\n', '{\n  "It is too late": "Es ist zu spät",\n'),
    ('a reason without what it is about', TABLE, '"Behind %@:": "Hinter %@:"', '"Behind %@:": "Dahinter:"'),
    ('a count gone from the table', TABLE, '%lld wait for you', '%lld wait'),
]


def furnish(room):
    """Uses only paths within the room. So once one room is compiled, its copies are compiled too."""
    shutil.copytree(SOURCES, f'{room}/mutants')
    shutil.copytree('Sources', f'{room}/texts/Sources')
    for folder in ('shared', 'daemon', 'bridge'): shutil.copytree(f'../{folder}', f'{room}/{folder}')
    with open(f'{room}/tsconfig.json', 'w') as file:
        json.dump({'extends': os.path.abspath('../tsconfig.json'), 'compilerOptions': {'rootDir': '.'}, 'include': ['daemon/**/*.ts'], 'exclude': []}, file)
    # The compiler's own record of what depends on what. A mistake then costs its file and those
    # that it touches, not the whole app.
    os.mkdir(f'{room}/objects')
    kept = {file: {kind: f'objects/{number}.{ending}' for kind, ending in (('object', 'o'), ('swift-dependencies', 'swiftdeps'))}
            for number, file in enumerate(sources(room))}
    with open(f'{room}/map.json', 'w') as file: json.dump({'': {'swift-dependencies': 'objects/all.swiftdeps'}, **kept}, file)
    return room


def sources(room):
    return sorted(os.path.relpath(os.path.join(folder, name), room) for folder, _, names in os.walk(f'{room}/mutants') for name in names if name.endswith('.swift'))


def run(room, words, seconds):
    return subprocess.run(words, cwd=room, capture_output=True, text=True, timeout=seconds)


def check_texts(room, _first):
    ran = run(f'{room}/texts', [sys.executable, TEXT_CHECK], 60)
    if ran.returncode == 0: ran = run(room, [COMPILER, '--noEmit', '-p', '.'], 300)
    return ran.returncode, re.findall(r'^(\S+?): (.*)$', ran.stdout, re.M), ran.stdout + ran.stderr


def check(room, first):
    # Not -typecheck: what crosses a thread, and paths without a return, are only found after it.
    words = [*SWIFTC, '-c', '-incremental', '-enable-batch-mode', '-output-file-map', 'map.json', '-parse-as-library', '-swift-version', '6',
             '-warnings-as-errors', '-enable-testing', '-module-name', 'Shell', '-package-name', 'shell_macos', '-I', f'{built}/Modules',
             '-Xfrontend', '-entry-point-function-name', '-Xfrontend', 'Shell_main', *sources(room)]
    ran = run(room, words, 300)
    errors = re.findall(r'^\S*?mutants/(\S+?): error: (.*)$', ran.stderr, re.M)
    if ran.returncode: return ran.returncode, errors, ran.stderr
    # Code that compiles may still break a rule of PlatformSurface/README.md.
    rules = subprocess.run([sys.executable, 'tools/check_surface.py', '--app', f'{room}/mutants'], capture_output=True, text=True, timeout=60)
    if rules.returncode: return rules.returncode, re.findall(r'mutants/(\S+?): (.*)$', rules.stdout, re.M), rules.stdout + rules.stderr
    return check_views(room, first)


def check_views(room, first):
    """Runs the tests, linked with the copy instead of the app."""
    with open(f'{built}/SallyportPackageTests.product/Objects.LinkFileList') as file: objects = [line for line in file if '/Shell.build/' not in line]
    objects += [f'objects/{number}.o\n' for number in range(len(sources(room)))]
    with open(f'{room}/linked', 'w') as file: file.write(''.join(objects))
    # On a loaded machine, two links in some five hundred did not find a symbol of Foundation. The
    # next link found it.
    for _ in range(2):
        linked = run(room, [*SWIFTC, '-use-ld=lld', '-emit-executable', '@linked', '-o', 'tests'], 120)
        if not linked.returncode: break
    else: return linked.returncode, [], linked.stderr
    for name in sorted(VIEW_TESTS, key=lambda name: name != first):
        # A test that was killed leaves its daemon behind, where the next test wants none.
        shutil.rmtree(f'{room}/Contents', ignore_errors=True)
        # A mistake may make a test wait forever.
        running = subprocess.Popen([*SWIFTC[:-1], './tests', f'ShellRulesTests.{name}'], cwd=room, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said, watch = '', threading.Timer(60, running.kill)
        watch.start()
        for line in running.stdout:
            said += line
            found = re.search(r'error: (\w+\.\w+) : (.*)', line)
            if found:
                running.kill()
                watch.cancel()
                return 1, [found.groups()], said
        watch.cancel()
        # A trap, or the time limit, ended it.
        if running.wait(): return 1, [(name, (said.splitlines() or ['ended'])[-1])], said
    return 0, [], ''


def plant(mutant):
    """@returns whether the mistake was caught, and a line that says so."""
    folder, catches, name, path, *pairs = mutant
    room = rooms.get()
    try:
        whole = os.path.join(room, folder, path)
        with open(whole) as file: source = file.read()
        changed, before_all = source, os.stat(whole)
        for before, after in zip(pairs[::2], pairs[1::2]):
            changed = changed.replace(before, after, 1)
        with open(whole, 'w') as file: file.write(changed)
        code, errors, said = catches(room, TESTS_OF.get(path.split('/')[0]))
        with open(whole, 'w') as file: file.write(source)
        # The file gets its old time back. The next mutant then compiles what it plants, and not
        # this file as well.
        os.utime(whole, ns=(before_all.st_atime_ns, before_all.st_mtime_ns))
        shutil.rmtree(f'{room}/objects')
        shutil.copytree(f'{ROOM}/objects', f'{room}/objects')
    finally:
        rooms.put(room)
    # A failure that names no place isn't the type checker's.
    if code == 0 or not errors: return False, f'MISSED  {name}' + ('' if code == 0 else ': ' + said[:4000])
    return True, f'caught  {name}: {errors[0][0].split(":")[0]}: {errors[0][1][:110]}'


def check_places(planted):
    """Finds mistakes that have no place in the sources. Otherwise they would count as missed only after minutes."""
    for folder, _, name, path, *pairs in planted:
        with open(os.path.join(SOURCES if folder == 'mutants' else '', path)) as file: source = file.read()
        for before, after in zip(pairs[::2], pairs[1::2]):
            if before not in source: yield f'{name}: {path} has no more {before!r}; plant it elsewhere'
            source = source.replace(before, after, 1)


built, wanted = os.path.abspath(sys.argv[1]), ' '.join(sys.argv[2:])
os.environ.setdefault('INSWIFT_DIR', os.path.abspath('..'))
everything = [('mutants', check, *mutant) for mutant in MUTANTS] + [('texts', check_texts, *mutant) for mutant in TEXT_MUTANTS]
planted = [mutant for mutant in everything if any(words in mutant[2] for words in wanted.split('|'))]
if nowhere := '\n'.join(check_places(planted)): sys.exit(nowhere)
atexit.register(shutil.rmtree, ROOM, ignore_errors=True)
# While the tests of one copy wait, a processor compiles another.
at_once = 2 * (os.cpu_count() or 1)
first = furnish(f'{ROOM}/0')
for check_all in (check, check_texts):
    code, _, said = check_all(first, None)
    if code: sys.exit('The app as it is does not pass:\n' + said)
shutil.copytree(f'{first}/objects', f'{ROOM}/objects')
rooms = queue.SimpleQueue()
rooms.put(first)
for number in range(1, at_once): rooms.put(shutil.copytree(first, f'{ROOM}/{number}'))
missed = 0
with ThreadPoolExecutor(at_once) as pool:
    for caught, line in pool.map(plant, planted):
        print(line, flush=True)
        missed += not caught
print(f'{len(planted) - missed} of {len(planted)} planted mistakes caught')
sys.exit(bool(missed))
