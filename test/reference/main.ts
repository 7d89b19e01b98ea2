// Writes the references into the documents: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GENERATED } from './pages.ts';
import { fileOf } from './reference.ts';

for (const [file, text] of Object.entries(GENERATED)) {
  writeFileSync(fileOf(file), text());
  console.log(`wrote ${fileURLToPath(fileOf(file))}`);
}
