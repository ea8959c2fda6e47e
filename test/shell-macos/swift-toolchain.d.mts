/** What stands before `swift`'s own arguments; null where there is no Swift on this machine. */
export function swiftCommand(): readonly string[] | null;
