"use strict";
// Draws the figures in the reader's colours, and sorts tables. Without it the page shows still pictures.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const asked = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.shade ? root.dataset.shade === "dark" : asked.matches);

  async function drawAll() {
    const config = isDark() ? data.dark : data.light;
    for (const figure of document.querySelectorAll("[data-figure]")) {
      const spec = data.specs[figure.dataset.figure];
      figure.classList.add("drawn");
      // The interpreter evaluates expressions without making code, which the page forbids itself.
      await draw(figure.querySelector(".live"), spec, { config, renderer: "svg", actions: false, ast: true, mode: "vega-lite" });
    }
    root.dataset.drawn = isDark() ? "dark" : "light";
  }

  const button = document.getElementById("shade");
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.hidden = false;
  button.addEventListener("click", () => { root.dataset.shade = isDark() ? "light" : "dark"; name(); drawAll(); });
  asked.addEventListener("change", () => { name(); drawAll(); });
  name();

  const valueOf = (row, column) => {
    const cell = row.children[column];
    const value = cell.dataset.value;
    return value === undefined ? cell.textContent.trim() : value === "None" ? NaN : Number(value);
  };
  function sortBy(table, head, column) {
    const down = head.getAttribute("aria-sort") === "descending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "ascending" : "descending");
    const sign = down ? 1 : -1;
    const rows = [...table.tBodies[0].rows];
    rows.sort((p, q) => {
      const [a, b] = [valueOf(p, column), valueOf(q, column)];
      if (typeof a === "string") return sign * a.localeCompare(b);
      return Number.isNaN(a) ? 1 : Number.isNaN(b) ? -1 : sign * (a - b);
    });
    table.tBodies[0].append(...rows);
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const press = document.createElement("button");
      press.type = "button";
      press.textContent = head.textContent;
      head.replaceChildren(press);
      press.addEventListener("click", () => sortBy(table, head, column));
    });
  }
  drawAll();
})();
