// The exchanges on which the simulation can play.
import type { ExchangeName } from '../plan/exchange-faults.ts';
import type { Opening, PlayedExchange } from './exchange-api.ts';
import { hostedExchange } from './hosted/exchange.ts';
import { hyperliquidExchange } from './hyperliquid/exchange.ts';

const EXCHANGES: Readonly<Record<ExchangeName, (opening: Opening) => PlayedExchange>> = {
  hosted: hostedExchange,
  hyperliquid: hyperliquidExchange,
};

export const exchangeOf = (opening: Opening): PlayedExchange => EXCHANGES[opening.options.exchange ?? 'hosted'](opening);
