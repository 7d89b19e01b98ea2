// `bot check --exchange`: checks the adapter of an exchange against the fake of its author; one line for each check.
import { extname } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { COMMAND } from '../../../base/package.ts';
import { checkVenue } from '../../../research/testing/venue/check-venue.ts';
import { type FakeDefinition, requireFake } from '../../../research/testing/venue/fake.ts';
import { CAPABILITIES, type VenueCapability, type VenueCheckResult } from '../../../research/testing/venue/result.ts';
import { loadPart, loadVenue, namesModule } from '../../../venues/kind/modules/load-venue.ts';
import { commandText } from '../../command-text.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import type { AdapterFlags } from './command.ts';
import { showChecks } from './show-checks.ts';

/** Returns 1 if a check fails. */
export async function checkAdapter(flags: AdapterFlags, host: Host): Promise<ExitCode> {
  const began = systemClock.now();
  requireNoStrategy(flags);
  const { definition, module } = await loadVenue(flags.exchange);
  const fake = await fakeOf(flags.fake ?? fakeBeside(module.file));
  const { name } = definition;
  return await showChecks<VenueCheckResult>(host, {
    subject: ['exchange', name],
    verdicts: ['pass', 'skip', 'fail'],
    flags,
    began,
    lineOf: (result) => lineOf(result, flags),
    run: ({ begin, onStart, onResult }) =>
      checkVenue(definition, fake, {
        seed: flags.seed,
        only: flags.only,
        onStart,
        onResult,
        onCapabilities(has) {
          say(host.stdout, capabilitiesLine(name, has, flags));
          begin();
        },
      }),
  });
}

const OF_STRATEGIES = ['strategy', 'tape', 'config', 'set', 'input'] as const;

function requireNoStrategy(flags: AdapterFlags): void {
  const given = OF_STRATEGIES.find((name) => flags[name] !== undefined);
  if (given !== undefined)
    throw wrong(`${given === 'strategy' ? 'a strategy' : `--${given}`} is given beside --exchange`, 'check one or the other');
  if (!namesModule(flags.exchange))
    throw wrong(`"${flags.exchange}" is neither a path nor an installed package`, 'give the file of an adapter: --exchange ./venue.ts');
}

/** Returns the path of the fake beside an adapter: its name, with `.fake` before the ending. */
const fakeBeside = (file: string): string => `${file.slice(0, -extname(file).length)}.fake${extname(file)}`;

async function fakeOf(path: string): Promise<FakeDefinition> {
  try {
    const found = await loadPart(path);
    requireFake(found);
    return found;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const hint = 'write a fake of the exchange there with defineFake, or give its file with --fake: docs/exchanges.md shows how';
    throw new UserError({ code: error.code, message: `${path}: ${error.message}`, hint });
  }
}

function capabilitiesLine(exchange: string, has: ReadonlySet<VenueCapability>, { json }: AdapterFlags): string {
  const found = CAPABILITIES.filter((name) => has.has(name));
  const lacks = CAPABILITIES.filter((name) => !has.has(name));
  if (json) return JSON.stringify({ kind: 'capabilities', exchange, has: found, lacks });
  return `${exchange} has ${found.join(', ') || 'nothing'}${lacks.length === 0 ? '' : `; it lacks ${lacks.join(', ')}`}`;
}

/** Returns the command line that repeats one check. */
function commandOf({ exchange, fake, seed }: AdapterFlags, { number }: VenueCheckResult): string {
  return commandText(COMMAND, ['check'], { exchange, fake, only: number, seed });
}

function lineOf(result: VenueCheckResult, flags: AdapterFlags): string {
  const { number, name, verdict, reason, prevents } = result;
  const command = commandOf(flags, result);
  if (flags.json) return JSON.stringify({ kind: 'check', number, name, verdict, reason, prevents, seed: flags.seed, command });
  const line = `${verdict.padEnd(4)}  ${String(number).padStart(2)} ${name.padEnd(22)} ${reason}`;
  return verdict === 'fail' ? `${line}\n         the loss: ${prevents}\n         again: ${command}` : line;
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'check', message, hint });
