# Plays a crossover of two averages on candles in backtesting.py and in backtrader: prints the CPU seconds of each, and its trades, as JSON.
import json
import sys
import time

import backtesting
import backtrader
import pandas

FAST, SLOW = 50, 200
candles = pandas.read_csv(sys.argv[1], index_col="time", parse_dates=["time"])


class Vector(backtesting.Strategy):
    def init(self):
        average = lambda values, count: pandas.Series(values).rolling(count).mean()
        self.fast = self.I(average, self.data.Close, FAST)
        self.slow = self.I(average, self.data.Close, SLOW)

    def next(self):
        above = self.fast[-1] > self.slow[-1]
        if above and not self.position.is_long:
            self.position.close()
            self.buy(size=1)
        elif not above and not self.position.is_short:
            self.position.close()
            self.sell(size=1)


class Stepped(backtrader.Strategy):
    def __init__(self):
        self.fast = backtrader.ind.SMA(period=FAST)
        self.slow = backtrader.ind.SMA(period=SLOW)
        self.trades = 0

    def notify_order(self, order):
        self.trades += order.status == order.Completed

    def next(self):
        self.order_target_size(target=1 if self.fast[0] > self.slow[0] else -1)


def with_backtesting():
    result = backtesting.Backtest(candles, Vector, cash=10_000_000, margin=0.1).run()
    return int(result["# Trades"])


def with_backtrader():
    engine = backtrader.Cerebro(stdstats=False)
    engine.broker.setcash(10_000_000)
    engine.adddata(backtrader.feeds.PandasData(dataname=candles))
    engine.addstrategy(Stepped)
    return engine.run()[0].trades


def timed(play):
    seconds = []
    for _ in range(3):
        began = time.process_time()
        trades = play()
        seconds.append(time.process_time() - began)
    return {"seconds": sorted(seconds)[1], "trades": trades}


print(json.dumps({"backtesting.py": timed(with_backtesting), "backtrader": timed(with_backtrader)}))
