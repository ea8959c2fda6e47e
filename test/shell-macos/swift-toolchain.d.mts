/** The command before `swift`'s own arguments; null without a Swift on this machine. */
export function swiftCommand(): readonly string[] | null;

/** The same for each build. */
export declare const buildFlags: readonly string[];
