import ShellRules

extension Samples {
    /// The daemon's settings at their defaults, in its words and its order.
    static let settings: [SettingView] = read(
        """
        [
        {"key":"port","value":27432,"default":27432,"accepts":"a whole number from 1 to 65535","about":"the TCP port on 127.0.0.1 that HTTP clients use"},
        {"key":"port.fallback","value":true,"default":true,"accepts":"true or false","about":"whether another port is used while that one is taken"},
        {"key":"enabled","value":true,"default":true,"accepts":"true or false","about":"whether AI clients are served at all"},
        {"key":"keychain","value":"auto","default":"auto","accepts":"auto or required","about":"whether secrets must be in the keychain"},
        {"key":"widening","value":"auto","default":"auto","accepts":"one of auto, ask, free","about":"whether what widens access needs a confirmation"},
        {"key":"history","value":"on","default":"on","accepts":"on or off","about":"whether the text of statements is kept"},
        {"key":"history.days","value":90,"default":90,"accepts":"a whole number of days from 1 to 3650","about":"how long the text of statements is kept"},
        {"key":"results.defaultRows","value":500,"default":500,"accepts":"a whole number of rows from 1 to 10000","about":"rows given when a call names no number"},
        {"key":"results.maxRows","value":10000,"default":10000,"accepts":"a whole number of rows from 1 to 10000","about":"rows a call may ask for"},
        {"key":"results.maxBytes","value":262144,"default":262144,"accepts":"a whole number of bytes from 1024 to 8388608","about":"bytes of rows in one answer"},
        {"key":"results.maxCellBytes","value":65536,"default":65536,"accepts":"a whole number of bytes from 64 to 4194304","about":"bytes kept of one cell"},
        {"key":"query.defaultSeconds","value":30,"default":30,"accepts":"a whole number of seconds from 1 to 300","about":"how long a statement may take when a call names no time"},
        {"key":"query.maxSeconds","value":300,"default":300,"accepts":"a whole number of seconds from 1 to 300","about":"the longest time a call may ask for"},
        {"key":"limits.requestsPerMinute","value":240,"default":240,"accepts":"a whole number from 1 to 100000, or 0 for no limit","about":"requests a client may make in 60 seconds; all bridges together four times as many"},
        {"key":"limits.concurrentRequests","value":8,"default":8,"accepts":"a whole number from 1 to 1000, or 0 for no limit","about":"requests of a client worked on at once; all bridges together eight times as many"},
        {"key":"approval.rememberHours","value":8,"default":8,"accepts":"a whole number of hours from 1 to 720, or 0 for asking at every call","about":"how long a yes to a connection that asks each time is remembered"},
        {"key":"log.level","value":"info","default":"info","accepts":"one of error, warn, info, debug","about":"how much stands in the daemon's own log; debug adds a line for each row of the activity log"}
        ]
        """)
}
