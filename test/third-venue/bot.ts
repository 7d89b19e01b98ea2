// The program with one exchange more than it has: what `npm run bot` is, for a person who has added the third exchange.
import { startProgram } from '../../src/cli/start.ts';
import { VENUES } from '../../src/run/venues/registry.ts';
import { THIRD } from './adapter/kind.ts';

await startProgram(VENUES.with(THIRD));
