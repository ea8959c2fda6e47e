// The cost of any stdio server on its Node: reads a line, answers it.
let rest = '';
process.stdin.setEncoding('utf8').on('data', text => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { method } })}\n`);
  }
});
