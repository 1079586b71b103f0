/** A world for links: sockets that the test drives, and time that passes when the test says so. */

export class FakeSocket {
  onopen = null;
  onmessage = null;
  onclose = null;
  /** @type {any[]} */
  sent = [];
  isClosed = false;

  /** @param {string} data */
  send(data) {
    this.sent.push(JSON.parse(data));
  }

  close() {
    this.isClosed = true;
  }
}

export class FakeWorld {
  now = 0;
  isVisible = true;
  /** @type {{at: number, task: () => void}[]} */
  timers = [];
  /** @type {FakeSocket[]} */
  sockets = [];
  after = (/** @type {() => void} */ task, /** @type {number} */ delay) => {
    const timer = { at: this.now + delay, task };
    this.timers.push(timer);
    return timer;
  };
  cancel = (/** @type {any} */ timer) => {
    this.timers = this.timers.filter((each) => each !== timer);
  };
  chance = () => 0.5;
  turn = () => 0.5;
  isLooking = () => this.isVisible;
  open = () => {
    this.sockets.push(new FakeSocket());
    return /** @type {any} */ (this.socket);
  };

  /** The socket opened last. @returns {any} */
  get socket() {
    return this.sockets.at(-1);
  }

  /**
   * Let time pass, running what falls due in order.
   *
   * @param {number} span
   */
  pass(span) {
    const end = this.now + span;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.cancel(next);
      this.now = next.at;
      next.task();
    }
    this.now = end;
  }

  /** @param {object} frame */
  say(frame) {
    this.socket.onmessage?.({ data: JSON.stringify(frame) });
  }
}
