import { createServer } from 'node:http';

/** An engine that answers at once: chat completions with one line of text, whatever it is sent. */
const answer = JSON.stringify({
  id: 'chatcmpl-bench',
  model: 'bench',
  choices: [{ message: { role: 'assistant', content: 'A line of text.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 },
});

createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
