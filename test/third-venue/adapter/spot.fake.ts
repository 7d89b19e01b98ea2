// The spot market of the third exchange: `bot check --exchange venue.ts --fake spot.fake.ts`.
import { defineFake } from 'tickwright/venue-testing';
import { SPOT_INSTRUMENT } from '../exchange.ts';
import { fakeOf } from './venue.fake.ts';

export default defineFake(fakeOf(SPOT_INSTRUMENT, { can: ['post-only', 'ioc', 'expiry', 'unique-ids'], tokens: 2_000 }));
