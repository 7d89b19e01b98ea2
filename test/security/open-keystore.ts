// A process that opens a keystore, wipes the key, and waits until its memory has been inspected.
import { readFileSync } from 'node:fs';
import { openKeystore, parseKeystore } from '../../src/base/keys/keystore.ts';

const [passphrase = '', file = ''] = process.argv.slice(2);
const secret = await openKeystore(parseKeystore(JSON.parse(readFileSync(file, 'utf8')), file), Buffer.from(passphrase));
secret.fill(0);
process.stdout.write('open\n');
process.stdin.once('data', () => process.exit());
