import assert from 'node:assert/strict';
import { ChannelListener } from '../../../storage/servers/channel-listener.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { until } from '../../support/process/until.js';

describe('ChannelListener', () => {
  const redis = temporaryRedis();
  const open = (heard: (message: string) => void = () => undefined) =>
    new ChannelListener(redis.another(), { channel: 'a', onMessage: heard, onDisconnect: () => undefined });
  const listening = (listener: ChannelListener) =>
    until('the connection', () => listener.isUnchangedSince(listener.mark));

  it('knows that a message came since a mark', async () => {
    const heard: string[] = [];
    const listener = open((message) => heard.push(message));
    await listening(listener);
    const { mark } = listener;
    await redis.redis.publish('a', 'x');
    await until('the message', () => heard.length === 1);
    assert.deepEqual([listener.isUnchangedSince(mark), heard], [false, ['x']]);
    assert.ok(listener.isUnchangedSince(listener.mark));
    listener.close();
  });

  it('trusts no mark from before it was subscribed', async () => {
    const listener = open();
    const { mark } = listener;
    assert.ok(!listener.isUnchangedSince(mark));
    // A message sent now has no subscriber.
    await redis.redis.publish('a', 'x');
    await listening(listener);
    assert.ok(!listener.isUnchangedSince(mark));
    listener.close();
  });

  it('trusts no mark from before it lost its connection, when it is back', async () => {
    const connection = redis.another();
    const listener = new ChannelListener(connection, {
      ...{ channel: 'a', onMessage: () => undefined, onDisconnect: () => undefined },
    });
    await listening(listener);
    const before = listener.mark;
    connection.disconnect(true);
    await until('the loss', () => !listener.isUnchangedSince(before));
    const meanwhile = listener.mark;
    await listening(listener);
    assert.deepEqual(
      [before, meanwhile].map((mark) => listener.isUnchangedSince(mark)),
      [false, false],
    );
    listener.close();
  });

  it('can be closed while it subscribes anew', async () => {
    const connection = redis.another();
    const listener = new ChannelListener(connection, {
      ...{ channel: 'a', onMessage: () => undefined, onDisconnect: () => undefined },
    });
    await listening(listener);
    // Where nobody hears that it ended, the process ends.
    connection.on('ready', () => {
      listener.close();
      connection.stream.destroy();
    });
    await redis.redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await until('the end', () => connection.status === 'end');
    await new Promise(setImmediate);
    assert.equal(listener.isUnchangedSince(listener.mark), false);
  });

  it('says that Redis refuses', async () => {
    const connection = redis.another();
    // The embedded Redis allows no other rights: an unknown command is refused as a forbidden one is.
    connection.subscribe = async () => Number(await connection.call('unknown'));
    const listener = new ChannelListener(connection, {
      ...{ channel: 'a', onMessage: () => undefined, onDisconnect: () => undefined },
    });
    await assert.rejects(listener.subscribed, /unknown command/);
    listener.close();
  });
});
