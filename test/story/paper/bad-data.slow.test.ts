// Paper runs at the foreign exchange with the kinds of nonsense that the fast file beside does not play.
import { testBadData } from './bad-data.ts';

testBadData(['crossedBook', 'absurdBook', 'emptyBook', 'nullPrices', 'frozen', 'html']);
