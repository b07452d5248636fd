// Keeps the parts of a page as they are now. The page is complete without it.
"use strict";
(() => {
  const address = document.body.dataset.events, place = document.getElementById("live"), news = document.getElementById("news");
  if (!address || !place || !window.EventSource) return;
  let source = null, paused = false;

  const button = document.createElement("button");
  button.type = "button";
  button.addEventListener("click", () => { paused = !paused; paused ? stop() : start(); });
  place.append(button);
  function show(state) {
    button.dataset.state = state;
    button.textContent = { live: "Live: pause", wait: "Connecting", paused: "Paused: go on", lost: "Not live: try again" }[state];
  }

  function start() {
    if (source || document.hidden) return;
    show("wait");
    paused = false;
    source = new EventSource(address);
    source.onopen = () => show("live");
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return show("wait");
      stop();
      paused = true;
      show("lost");
    };
    source.addEventListener("part", (event) => replace(...JSON.parse(event.data)));
    source.addEventListener("news", (event) => { news.textContent = JSON.parse(event.data)[1]; });
  }

  function stop() {
    if (source) source.close();
    source = null;
    if (paused) show("paused");
  }

  function replace(id, text) {
    const now = document.getElementById(id), parsed = new DOMParser().parseFromString(text, "text/html").getElementById(id);
    if (now && parsed) adapt(now, parsed);
  }

  // adapt makes one element like another one and keeps what is the same, with its focus and its place.
  function adapt(now, then) {
    if (now.isEqualNode(then)) return;
    for (const { name } of [...now.attributes]) if (!then.hasAttribute(name) && name !== "open") now.removeAttribute(name);
    for (const { name, value } of then.attributes) {
      if (now.getAttribute(name) !== value && !(name === "open" && now.tagName === "DETAILS") && name !== "class") now.setAttribute(name, value);
      if (name === "class" && now.getAttribute("class") !== value) now.setAttribute("class", value);
    }
    const known = new Map([...now.children].filter((e) => e.dataset.key).map((e) => [e.dataset.key, e]));
    let at = now.firstChild;
    for (const wanted of [...then.childNodes]) {
      const key = wanted.dataset && wanted.dataset.key, same = key ? known.get(key) : null;
      if (same) {
        known.delete(key);
        if (same === at) at = at.nextSibling; else now.insertBefore(same, at);
        adapt(same, wanted);
      } else if (!key && at && !(at.dataset && at.dataset.key) && at.nodeName === wanted.nodeName) {
        const next = at.nextSibling;
        if (at.nodeType === Node.ELEMENT_NODE) adapt(at, wanted); else if (at.data !== wanted.data) at.data = wanted.data;
        at = next;
      } else {
        now.insertBefore(wanted, at);
        if (key && wanted.classList) wanted.classList.add("fresh");
      }
    }
    while (at) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
    for (const gone of known.values()) gone.remove();
  }

  document.addEventListener("visibilitychange", () => { document.hidden ? stop() : paused || start(); });
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => { if (event.persisted && !paused) start(); });
  show("wait");
  start();
})();
