/// How this Mac reaches the server: directly, through SSH, or through a program of the user.
extension ConnectionForm {
    public enum TunnelKind: String, Worded, Sendable {
        case none, ssh, command

        public static let labels: [String: Wording] = ["none": "None", "ssh": "SSH", "command": "A command"]
    }

    /// Notes beside the fields of ssh and the command.
    public static var sshNote: String {
        localized("By the system’s own ssh, with ~/.ssh/config and your agent. The last hop looks up the database’s host.")
    }

    public static var tunnelCommandNote: String {
        localized("Run as you. {stdio}, {socket} or {port} in it says how its program is reached.")
    }
}

extension ConnectionForm.Fields {
    mutating func take(_ tunnel: Tunnel?) {
        switch tunnel {
        case nil: tunnelKind = .none
        case .ssh(let ssh)?:
            tunnelKind = .ssh
            sshServer = ssh.destination
            sshJumps = ssh.jumps.joined(separator: ", ")
            sshKeyFile = ssh.keyFile ?? ""
        case .command(let command)?:
            tunnelKind = .command
            tunnelCommand = command.command
        }
    }

    /// A file or a socket is on this machine and needs no tunnel.
    func tunnel(_ base: PathBase) -> Tunnel? {
        guard engine != .sqlite, place == .host else { return nil }
        switch tunnelKind {
        case .none: return nil
        case .ssh:
            return .ssh(
                SshTunnel(
                    kind: .ssh, destination: sshServer, jumps: sshJumps.listed,
                    keyFile: sshKeyFile.isEmpty ? nil : base.path(sshKeyFile)))
        case .command: return .command(CommandTunnel(kind: .command, command: tunnelCommand))
        }
    }
}
