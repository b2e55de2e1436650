// The report: what all sites say together, and the tables for people.

import { cpus, platform, release, totalmem } from "node:os";

export function machine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
  };
}

/** Each engine's measures over the answerable questions of all sites, and seealso's answers. */
export function pooled(sites) {
  const names = Object.keys(sites[0].engines);
  const answerable = sites.map(({ engines }) => engines.seealso.answerable);
  const all = answerable.reduce((sum, n) => sum + n, 0);
  const mean = (of) => sites.reduce((sum, site, at) => sum + of(site) * answerable[at], 0) / all;
  const of = (name, what) => {
    const keys = ["hit_at_1", "hit_at_5", "mrr"];
    return Object.fromEntries(keys.map((key) => [key, mean(({ engines }) => engines[name][what][key])]));
  };
  const engines = names.map((name) => {
    const sections = sites[0].engines[name].section ? { section: of(name, "section") } : {};
    return [name, { page: of(name, "page"), ...sections }];
  });
  const counted = (key) => {
    const counts = sites.map(({ engines }) => engines.seealso[key]);
    const sum = (of) => counts.reduce((sum, count) => sum + count[of], 0);
    return { share: sum("count") / sum("n"), count: sum("count"), n: sum("n") };
  };
  const answers = Object.fromEntries(["says_at_600", "refused", "wrongly_refused"].map((key) => [key, counted(key)]));
  return { answerable: all, engines: Object.fromEntries(engines), ...answers };
}

/** The report as tables of Markdown. */
export function tables(report) {
  return [imports(report), answers(report), peers(report)].join("\n\n");
}

function imports({ sites }) {
  const phase = (own, name) => (own.phases[name] ?? 0).toFixed(1);
  const rows = sites.map(({ name, engines: { seealso: own } }) => {
    const skipped = Object.entries(own.skipped).map(([why, count]) => `${count} ${why}`);
    const phases = ["look", "read", "divide", "index"].map((of) => phase(own, of));
    return [
      name, own.files, own.pages, own.parts, own.sections, skipped.join(", "), own.seconds.toFixed(1), ...phases,
      own.again_seconds.toFixed(2), mb(own.peak_bytes), Math.round(own.index_bytes_per_page),
      Math.round(own.cold_bytes / 1000), own.cold_requests, `${own.links.count - own.links.broken.length} of ${own.links.count}`,
    ];
  });
  const head = "site, HTML files, pages, parts, sections, skipped, s, look, read, divide, index, again, peak MB, "
    + "index bytes a page, cold KB, cold requests, links to real ids";
  return table("Import", head.split(", "), rows);
}

function answers({ sites, pooled }) {
  const row = (name, page, section, says, lead, density, refused, wrongly) =>
    [name, ...three(page), ...three(section), says, lead, density, refused, wrongly];
  const of = ({ count, n }) => `${count} of ${n}`;
  const rows = sites.map(({ name, engines: { seealso: own } }) => {
    const [lead, density] = [own.lead, own.density].map(share);
    return row(name, own.page, own.section, of(own.says_at_600), lead, density, of(own.refused), of(own.wrongly_refused));
  });
  const { page, section } = pooled.engines.seealso;
  const shares = ["says_at_600", "refused", "wrongly_refused"].map((key) => share(pooled[key].share));
  rows.push(row("all", page, section, shares[0], "", "", shares[1], shares[2]));
  const head = "site, hit@1, hit@5, MRR, section hit@1, section hit@5, section MRR, says@600, lead, density, "
    + "unanswerable refused, answerable refused";
  return table("Answers", head.split(", "), rows);
}

function peers({ sites, pooled }) {
  const names = Object.keys(sites[0].engines);
  const speed = ({ engines }) => names.map((name) => engines[name].files_per_second.toFixed(0));
  const rows = sites.map((site) => {
    const hits = names.flatMap((name) => three(site.engines[name].page));
    const sections = names.filter((name) => site.engines[name].section).map((name) => share(site.engines[name].section.hit_at_5));
    return [site.name, ...hits, ...sections, ...speed(site)];
  });
  const all = names.flatMap((name) => three(pooled.engines[name].page));
  const sections = names.map((name) => pooled.engines[name].section).filter(Boolean);
  rows.push(["all", ...all, ...sections.map(({ hit_at_5 }) => share(hit_at_5)), ...names.map(() => "")]);
  const head = [
    "site", ...names.flatMap((name) => [`${name} hit@1`, "hit@5", "MRR"]),
    ...names.filter((name) => pooled.engines[name].section).map((name) => `${name} section hit@5`),
    ...names.map((name) => `${name} files a second`),
  ];
  return table("Beside others", head, rows);
}

const share = (value) => (value === null || value === undefined ? "-" : value.toFixed(2));
const three = ({ hit_at_1, hit_at_5, mrr }) => [hit_at_1, hit_at_5, mrr].map(share);
const mb = (bytes) => Math.round(bytes / 1e6);

export function table(title, columns, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const marks = columns.map((_, at) => (at === 0 ? "---" : "--:"));
  return [`### ${title}`, "", line(columns), line(marks), ...rows.map(line)].join("\n");
}
