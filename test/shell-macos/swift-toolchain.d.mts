/** What stands before `swift`'s own arguments; null where there is no Swift on this machine. */
export function swiftCommand(): readonly string[] | null;

/** The same for every build. */
export declare const buildFlags: readonly string[];
