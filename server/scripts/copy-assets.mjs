// Copies what tsc leaves behind (GraphQL documents, static assets) from src/ to dist/.
import { cpSync } from 'node:fs';

const KEPT = /\.(graphql|html|css|js|json|svg)$/;

cpSync('src', 'dist', {
  recursive: true,
  filter: (source) => !source.includes('.') || KEPT.test(source),
});
