// The settings of the site that Docusaurus builds.

module.exports = {
  title: "Kitchen",
  url: "https://kitchen.example",
  baseUrl: "/",
  i18n: { defaultLocale: "en", locales: ["en"] },
  presets: [["classic", { docs: { routeBasePath: "/" }, blog: false }]],
};
