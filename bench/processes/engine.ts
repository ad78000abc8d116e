import { createServer } from 'node:http';

/** An engine that answers at once, or after so many milliseconds: chat completions with one line of text, whatever it is sent. */
const answer = JSON.stringify({
  id: 'chatcmpl-bench',
  model: 'bench',
  choices: [{ message: { role: 'assistant', content: 'A line of text.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
});

const waitMs = Number(process.argv[3] ?? 0);

createServer((request, response) => {
  request.resume();
  const reply = () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  };
  request.on('end', () => (waitMs === 0 ? reply() : setTimeout(reply, waitMs)));
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
