// Computes the content hash of a tape from its rows.
import { createTapeHash } from './hash.ts';
import { headerText } from './header.ts';
import { openTape } from './reader.ts';

/** Reads the whole file and returns the content hash of its rows, in hex. Throws a UserError if it is not a whole tape. */
export async function contentHashOf(file: string): Promise<string> {
  const tape = await openTape(file);
  try {
    const hash = createTapeHash(headerText(tape.header));
    for await (const rows of tape.blocks()) {
      hash.add(rows);
      tape.release?.(rows);
    }
    return hash.digest().toString('hex');
  } finally {
    await tape.close();
  }
}
