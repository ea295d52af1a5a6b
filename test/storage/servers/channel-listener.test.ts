import assert from 'node:assert/strict';
import { ChannelListener } from '../../../storage/servers/channel-listener.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { until } from '../../support/process/until.js';

describe('ChannelListener', () => {
  const redis = temporaryRedis();
  const open = (heard: (message: string) => void = () => undefined) =>
    new ChannelListener(redis.another(), { channel: 'a', onMessage: heard, onMissed: () => undefined });
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
      ...{ channel: 'a', onMessage: () => undefined, onMissed: () => undefined },
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
      ...{ channel: 'a', onMessage: () => undefined, onMissed: () => undefined },
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

  it('takes a message that cannot be read as one that was missed, and hears the next', async () => {
    const heard: unknown[] = [];
    const listener = new ChannelListener(redis.another(), {
      channel: 'a',
      onMessage: (message) => heard.push(JSON.parse(message)),
      onMissed: () => heard.push('missed'),
    });
    await listening(listener);
    await redis.redis.publish('a', '{"half');
    await redis.redis.publish('a', '"whole"');
    await until('both', () => heard.length === 2);
    assert.deepEqual(heard, ['missed', 'whole']);
    listener.close();
  });

  it('subscribes again after Redis has refused', async () => {
    const connection = redis.another();
    const subscribe = connection.subscribe.bind(connection);
    connection.subscribe = async () => {
      connection.subscribe = subscribe;
      return Number(await connection.call('unknown'));
    };
    const listener = new ChannelListener(connection, {
      ...{ channel: 'a', onMessage: () => undefined, onMissed: () => undefined },
    });
    await assert.rejects(listener.subscribed, /unknown command/);
    await listening(listener);
    listener.close();
  });

  it('says that Redis refuses', async () => {
    const connection = redis.another();
    // The embedded Redis allows no other rights: an unknown command is refused as a forbidden one is.
    connection.subscribe = async () => Number(await connection.call('unknown'));
    const listener = new ChannelListener(connection, {
      ...{ channel: 'a', onMessage: () => undefined, onMissed: () => undefined },
    });
    await assert.rejects(listener.subscribed, /unknown command/);
    listener.close();
  });
});
