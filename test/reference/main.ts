// Writes the strategy API reference: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { REFERENCE, strategyApi } from './reference.ts';

writeFileSync(REFERENCE, strategyApi());
console.log(`wrote ${fileURLToPath(REFERENCE)}`);
