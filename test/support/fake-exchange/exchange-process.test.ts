import { ExchangeProcess } from './exchange-process.js';
import { until } from '../process/until.js';

describe('ExchangeProcess', () => {
  it('is closed when its process has ended already, as by a signal to all processes of a command', async () => {
    const exchange = await ExchangeProcess.start();
    process.kill(exchange.pid, 'SIGKILL');
    const isGone = () =>
      exchange.price('BTCUSDT', '1').then(
        () => false,
        () => true,
      );
    await until('the end of the process', isGone);
    await exchange.close();
  });
});
