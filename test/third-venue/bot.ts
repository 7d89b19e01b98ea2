// The bot's program with the third exchange added to its registry.
import { startProgram } from '../../src/cli/start.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { THIRD } from './adapter/kind.ts';

await startProgram(VENUES.with(THIRD));
