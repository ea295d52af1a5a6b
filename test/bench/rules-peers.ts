const risk = { stopLoss: { percent: 3 }, takeProfit: { percent: 6 } };

/** EMA 20/50 with an RSI filter, stop and target: what rules-peers.py trades in other engines. */
export const peerStrategy = {
  long: {
    entry: {
      all: [
        { left: 'ema_20', op: '>', right: 'ema_50' },
        { left: 'rsi_14', op: '<', right: 70 },
      ],
    },
    exit: { left: 'ema_20', op: '<', right: 'ema_50' },
    ...risk,
  },
  short: {
    entry: {
      all: [
        { left: 'ema_20', op: '<', right: 'ema_50' },
        { left: 'rsi_14', op: '>', right: 30 },
      ],
    },
    exit: { left: 'ema_20', op: '>', right: 'ema_50' },
    ...risk,
  },
};

/** The pinned packages of rules-peers.py and of backtest-peers.py. */
export const peerPackages = [
  'backtesting==0.6.6',
  'vectorbt==1.2.0',
  'TA-Lib==0.8.2',
  'numpy==2.4.6',
  'pandas==3.1.1',
];
