// The exchanges on which the simulation can play.

import type { PlayedExchange, PlayedOpening } from '../exchange-api.ts';
import type { ExchangeName } from '../plan/exchange-faults.ts';
import { hostedExchange } from './hosted/exchange.ts';
import { hyperliquidExchange } from './hyperliquid/exchange.ts';

const EXCHANGES: Readonly<Record<ExchangeName, (opening: PlayedOpening) => PlayedExchange>> = {
  hosted: hostedExchange,
  hyperliquid: hyperliquidExchange,
};

export const exchangeOf = (opening: PlayedOpening): PlayedExchange => EXCHANGES[opening.options.exchange ?? 'hosted'](opening);
