// `bot kill`: from any other terminal, whether the bot works, hangs or is dead: nothing more is placed, everything is cancelled, and that is proved.
import { type Millis, sleep, systemClock } from '../../base/clock.ts';
import { DiskError } from '../../base/disk.ts';
import { nodeDisk } from '../../base/node-disk.ts';
import { Latch } from '../../journal/latch.ts';
import { timeText } from '../../report/lines.ts';
import { readNow } from '../../run/now.ts';
import type { SweepEnd } from '../../run/rescue.ts';
import { type ExitCode, type Host, say } from '../host.ts';
import { endWords, progressTeller } from '../output/rescue-words.ts';
import { rescue } from './rescue.ts';
import { isAlive, livingIn } from './run-alive.ts';
import { flagFor, type Meant, type StateFlags, stateMeant } from './state-meant.ts';

export interface KillFlags extends StateFlags {
  readonly for?: Millis;
  readonly json?: true;
}

const PATIENCE: Millis = 300_000;
const LOOK: Millis = 200;

/** 0 when the account is proved empty, 1 when it is not in time. UserError where no run is meant. */
export async function kill(run: string | undefined, flags: KillFlags, host: Host): Promise<ExitCode> {
  const meant = stateMeant({ run, ...flags }, 'living');
  const tell = (text: string, more: object): void => say(host.stdout, flags.json ? JSON.stringify(more) : text);
  const latched = latch(meant, host);
  if (!flags.json) say(host.stdout, beginning(meant, latched));
  const forMs = flags.for ?? PATIENCE;
  if (meant.facts.exchange.kind === 'embedded') return end(await processEnded(meant, forMs), { meant, host, json: flags.json });
  const swept = await rescue(meant, {
    host,
    forMs,
    tell: progressTeller(systemClock, (text, progress) => tell(text, { kind: 'progress', ...progress })),
    damaged: (why) => say(host.stderr, `the run's journal cannot be read, so all that was ever signed is waited for: ${why}`),
  });
  return swept === undefined ? 1 : end({ swept, empty: swept.kind === 'empty' && latched }, { meant, host, json: flags.json });
}

/** First of all: from now on the bot places nothing. False where that cannot be written down; what rests is cancelled all the same. */
function latch({ directory }: Meant, { stderr }: Host): boolean {
  try {
    new Latch(nodeDisk(directory)).raise('cancel-all', { reason: 'somebody typed bot kill', at: timeText(systemClock.now()), by: 'kill' });
    return true;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    say(
      stderr,
      `error: the bot cannot be told to stop, for its state directory cannot be written: ${error.message}\n  end its process yourself`,
    );
    return false;
  }
}

function beginning({ directory, facts: { run } }: Meant, latched: boolean): string {
  const holder = livingIn(directory);
  const process = holder === undefined ? 'its process is gone' : `its process is ${holder.pid}${hanging(directory)}`;
  return `${run}: ${latched ? 'latched at cancel-all' : 'not latched'}; ${process}`;
}

/** A second is what a living run takes at most to say how it is. */
const SILENCE: Millis = 5_000;

function hanging(directory: string): string {
  const now = readNow(directory);
  const age = now === undefined ? 0 : systemClock.now() - Date.parse(now.at);
  return age > SILENCE ? `, which hangs: its last word is ${Math.round(age / 1_000)} s old` : '';
}

interface Killed {
  readonly empty: boolean;
  readonly swept?: SweepEnd | undefined;
}

/** Its exchange ends with the process: there is nothing else that could be asked. */
async function processEnded({ directory }: Meant, forMs: Millis): Promise<Killed> {
  const until = systemClock.now() + forMs;
  while (isAlive(directory) && systemClock.now() < until) await sleep(systemClock, LOOK);
  return { empty: !isAlive(directory) };
}

function end({ empty, swept }: Killed, { meant, host, json }: { meant: Meant; host: Host; json: true | undefined }): ExitCode {
  const { directory, facts } = meant;
  const living = livingIn(directory);
  if (json) {
    const { cancelled = 0, foreign = 0, resting = 0 } = swept ?? {};
    say(host.stdout, JSON.stringify({ kind: 'killed', run: facts.run, empty, cancelled, foreign, resting, alive: living !== undefined }));
  } else {
    const embedded = empty
      ? 'its exchange lived in its process, and is gone with it'
      : 'it does not end: its exchange lives in its own process, end that';
    say(host.stdout, swept === undefined ? embedded : endWords(swept));
    if (living !== undefined) say(host.stdout, `process ${living.pid} still lives; it places nothing, and ends by itself when it can`);
    if (swept !== undefined) say(host.stdout, `it does not trade again until you type: npm run bot -- resume ${flagFor(meant)}`);
  }
  return empty ? 0 : 1;
}
