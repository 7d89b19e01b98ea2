// The lines of a run whose state directory is from before there was a journal.
import type { Disk } from '../../base/disk.ts';
import { UserError } from '../../base/errors.ts';
import type { Line } from '../../report/accounting/lines.ts';

const FILE = 'ledger.jsonl';

/** A last line without its end was cut off by a crash, and is left out; any other damage is a UserError. The file stays as it is. */
export function oldLedger(disk: Disk): readonly Line[] {
  const text = new TextDecoder().decode(disk.read(FILE));
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole.split('\n').flatMap((line, index) => (line === '' ? [] : [parsed(line, index + 1)]));
}

function parsed(text: string, line: number): Line {
  try {
    const parsedLine: unknown = JSON.parse(text);
    if (typeof parsedLine === 'object' && parsedLine !== null && 'kind' in parsedLine) return parsedLine as Line;
  } catch {
    // told below
  }
  const hint = 'move the file away, or choose another with --state DIR';
  throw new UserError({ code: 'state', message: 'not a line of a ledger', place: { file: FILE, line }, hint });
}
