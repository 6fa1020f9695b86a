// Where these pages are opened from a disk, browsers start no worker; then what searches works in a frame of the page.
// MkDocs' theme asks for a file of this name, and would fetch one of others from the net.
if (window.location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    /** @param {string | URL} address where its script lies */
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      // An empty page that a browser would still load into the frame would take the script away with it.
      frame.contentDocument.open();
      frame.contentDocument.close();
      // What is said waits in the channel until the script is there, and is heard in turn, as by a worker.
      const { port1: here, port2: there } = new MessageChannel();
      const works = frame.contentWindow;
      this.here = here;
      here.onmessage = ({ data }) => this.dispatchEvent(new MessageEvent("message", { data }));
      works.postMessage = (data) => there.postMessage(data);
      const script = frame.contentDocument.createElement("script");
      script.src = String(address);
      script.onload = () => {
        there.onmessage = ({ data }) => works.dispatchEvent(new MessageEvent("message", { data }));
      };
      frame.contentDocument.head.append(script);
    }

    postMessage(data) {
      this.here.postMessage(data);
    }
  };
}
