/** A signal that follows another one until its call is answered. */
interface FollowingSignal {
  /** The signal. It is made at first use, because most calls end before anything has to wait. */
  signal: () => AbortSignal;
  /** Called when the call is answered: from then on the signal is not aborted. */
  answered: () => void;
}

/**
 * Follows the SDK's signal of a call until the call is answered. The SDK aborts it after the answer, too, when it closes the
 * stream; a long call that has answered with an id must go on.
 */
export function untilAnswered(source: AbortSignal): FollowingSignal {
  let following: AbortController | undefined;
  let isAnswered = false;
  const follow = () => following?.abort(source.reason);
  return {
    signal() {
      if (following) return following.signal;
      following = new AbortController();
      if (source.aborted && !isAnswered) follow();
      else if (!isAnswered) source.addEventListener('abort', follow, { once: true });
      return following.signal;
    },
    answered() {
      isAnswered = true;
      source.removeEventListener('abort', follow);
    },
  };
}
