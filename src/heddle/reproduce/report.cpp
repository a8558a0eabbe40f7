#include <heddle/reproduce/report.h>

#include <fmt/core.h>

namespace heddle {

namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Experiments run again by Heddle</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid #ddd; vertical-align: top; }
.holds { color: #176117; }
.fails { color: #a11; font-weight: bold; }
small { color: #666; }
</style>
</head>
<body>
<h1>Experiments run again by Heddle</h1>
<p>Times depend on the machine and are only shown; ratios, counts and orders are judged.</p>
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

std::string row(std::string_view a, std::string_view b, std::string_view c, std::string_view last = {}) {
  return fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td>{}</tr>\n", escaped(a), escaped(b), escaped(c),
                     last);
}

void add(const Reproduction& reproduction, std::string& page) {
  const Experiment& experiment = *reproduction.experiment;
  page += fmt::format("<h2 id=\"{}\">{}</h2>\n<p>{} <small>{} ({}{})</small></p>\n", experiment.id,
                      escaped(experiment.title), escaped(experiment.about), escaped(experiment.source),
                      experiment.id, reproduction.quick ? ", quick: smaller than published" : "");
  if (!reproduction.findings.figures.empty()) {
    page += "<table>\n<tr><th>figure</th><th>published</th><th>ours</th></tr>\n";
    for (const Figure& figure : reproduction.findings.figures)
      page += row(figure.name, figure.published, figure.ours);
    page += "</table>\n";
  }
  page += "<table>\n<tr><th>claim</th><th>published</th><th>ours</th><th></th></tr>\n";
  for (const Claim& claim : reproduction.findings.claims)
    page += row(claim.text, claim.published, claim.ours,
                claim.holds ? "<td class=\"holds\">holds</td>" : "<td class=\"fails\">does not hold</td>");
  page += "</table>\n";
}

}  // namespace

std::string html_report(std::span<const Reproduction> reproductions) {
  std::string page(kHead);
  for (const Reproduction& reproduction : reproductions) add(reproduction, page);
  return page + "</body>\n</html>\n";
}

}  // namespace heddle
