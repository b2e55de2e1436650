// How far a download is and how fast: told now and then, not at every piece.

const TELL_EVERY_MS = 250;
/** The rate is that of the last seconds, since networks change. */
const WINDOW_MS = 5000;

/** The progress of all files of one model. */
export class Rate {
  #name;
  #tell;
  #now;
  #bytes = 0;
  #stage = "checking";
  #reportedAt = -Infinity;
  #timer = null;
  /** Times and the bytes that had come by then, of the last seconds. */
  #marks = [];
  total;

  /** @param {string} name @param {number|null} total @param {(progress: object) => void} [tell] */
  constructor(name, total, tell = () => {}, now = () => performance.now()) {
    this.#name = name;
    this.total = total;
    this.#tell = tell;
    this.#now = now;
  }

  /** A file that is here whole. */
  has(bytes) {
    this.#bytes += bytes;
  }

  /** More bytes. @param {"checking"|"downloading"} stage */
  got(bytes, stage) {
    if (stage !== this.#stage) {
      this.#stage = stage;
      this.#marks = [];
    }
    this.#bytes += bytes;
    const now = this.#now();
    if (now - this.#reportedAt >= TELL_EVERY_MS) {
      this.#say(now);
    } else {
      // What came last must not stay untold where nothing follows it for long.
      this.#timer ??= setTimeout(() => this.#say(this.#now()), TELL_EVERY_MS);
    }
  }

  /** Bytes that turned out to be of no use. */
  lost(bytes) {
    this.#bytes -= bytes;
    this.#marks = [];
  }

  /** Tells the last state, whenever the one before was told. */
  end() {
    this.#stage = "downloading";
    this.#say(this.#now());
    this.stop();
  }

  /** Tells nothing more. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  #say(now) {
    this.stop();
    this.#reportedAt = now;
    this.#marks.push({ now, bytes: this.#bytes });
    while (this.#marks.length > 2 && now - this.#marks[0].now > WINDOW_MS) {
      this.#marks.shift();
    }
    const [first] = this.#marks;
    const seconds = (now - first.now) / 1000;
    const rate = this.#stage === "downloading" && seconds > 0 ? (this.#bytes - first.bytes) / seconds : 0;
    this.#tell({ name: this.#name, stage: this.#stage, bytes: this.#bytes, total: this.total, rate });
  }
}
