import { createServer } from 'node:http';

/** An OpenTelemetry collector that takes OTLP over HTTP and throws it away. */
createServer((request, response) => {
  request.resume();
  request.on('end', () => response.setHeader('content-type', 'application/x-protobuf').end());
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('ready'));
