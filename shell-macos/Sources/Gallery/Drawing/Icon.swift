/// The app's icon on macOS's grid: 1024 points, of which the tile takes 824. It shows a sally port,
/// the small gate of a fortress. The portcullis is half up, and the data is behind it.
enum Icon {
    static var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="1024" height="1024" viewBox="0 0 1024 1024" role="img">
        <title>Sallyport</title>
        \(lines.joined(separator: "\n"))
        </svg>

        """
    }

    private static var lines: [String] {
        let arch = "M312 784V512a200 200 0 0 1 400 0v272z"
        let bars = [372, 442, 512, 582, 652]
        var lines = [
            "<defs>",
            gradient("wall", "#4c6fff", "#1d2a8c"),
            gradient("night", "#101a52", "#0b1240"),
            gradient("glow", "#ffe9a8", "#ffb13d"),
            "<clipPath id=\"arch\"><path d=\"\(arch)\"/></clipPath>",
            "</defs>",
            // The tile and its light edge.
            "<rect x=\"100\" y=\"112\" width=\"824\" height=\"824\" rx=\"186\" fill=\"#000\" opacity=\"0.18\"/>",
            "<rect x=\"100\" y=\"100\" width=\"824\" height=\"824\" rx=\"186\" fill=\"url(#wall)\"/>",
            "<rect x=\"103\" y=\"103\" width=\"818\" height=\"818\" rx=\"183\" fill=\"none\" stroke=\"#fff\" stroke-opacity=\"0.22\""
                + " stroke-width=\"6\"/>",
        ]
        // The stones around the gate, then the gate.
        lines.append("<path d=\"M252 784V512a260 260 0 0 1 520 0v272z\" fill=\"#fff\" opacity=\"0.94\"/>")
        let joints =
            "M252 600h60M252 700h60M712 600h60M712 700h60M512 252v60M382 287l30 52M642 287l-30 52M287 382l52 30M737 382l-52 30"
        lines.append("<path d=\"\(joints)\" stroke=\"#1d2a8c\" stroke-opacity=\"0.35\" stroke-width=\"10\" fill=\"none\"/>")
        lines.append("<path d=\"\(arch)\" fill=\"url(#night)\"/>")
        lines.append("<g clip-path=\"url(#arch)\">")
        for (index, y) in [724, 664, 604].enumerated() {
            let top = index == 2 ? "#fff6d8" : "#ffd98a"
            lines.append("<path d=\"M402 \(y)v40a110 34 0 0 0 220 0v-40z\" fill=\"url(#glow)\"/>")
            lines.append("<ellipse cx=\"512\" cy=\"\(y)\" rx=\"110\" ry=\"34\" fill=\"\(top)\"/>")
        }
        for x in bars {
            lines.append("<path d=\"M\(x - 11) 300h22v226l-11 26-11-26z\" fill=\"#c9d3ff\"/>")
        }
        lines.append("<path d=\"M300 404h424v20H300zM300 476h424v20H300z\" fill=\"#c9d3ff\"/>")
        lines.append("</g>")
        lines.append("<path d=\"M212 784h600v32H212z\" fill=\"#fff\"/>")
        return lines
    }

    private static func gradient(_ id: String, _ top: String, _ bottom: String) -> String {
        "<linearGradient id=\"\(id)\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"><stop offset=\"0\" stop-color=\"\(top)\"/>"
            + "<stop offset=\"1\" stop-color=\"\(bottom)\"/></linearGradient>"
    }
}
