#include "cli/serve_command.h"

#include <iostream>

#include "core/base/clock.h"

namespace gluecat::cli {

CLI::App* AddServeCommand(CLI::App& app, server::ServeOptions& options) {
  CLI::App* const command =
      app.add_subcommand("serve", "Serve the Glue and STS APIs from a directory");
  options.listen = "127.0.0.1:4566";
  command->add_option("--listen", options.listen, "Address and port; port 0 takes a free one")
      ->capture_default_str()
      ->type_name("HOST:PORT");
  command
      ->add_option("--data", options.data_directory,
                   "Directory of the catalogs, made if it is missing")
      ->required()
      ->type_name("DIR");
  command
      ->add_option(
          "--accounts", options.accounts_file,
          "Accounts, users and roles (docs/server.md); without it, loopback only and any key")
      ->type_name("FILE");
  command
      ->add_option("--request-log", options.request_log_file,
                   "Append every request to FILE, one JSON object a line")
      ->type_name("FILE");
  command
      ->add_option("--warehouse", options.warehouses,
                   "Directory below which Iceberg tables may be created and changed; may be "
                   "given several times")
      ->type_name("DIR");
  auto* const certificate =
      command
          ->add_option("--tls-certificate", options.tls_certificate_file,
                       "Serve HTTPS with this certificate, or chain of them (PEM)")
          ->type_name("FILE");
  command->add_option("--tls-key", options.tls_key_file, "The certificate's private key (PEM)")
      ->needs(certificate)
      ->type_name("FILE");
  command->add_flag("--ui", options.ui,
                    "Show everything in the store at /ui/ to anybody who reaches the address, "
                    "although there is an accounts file");
  command->add_flag("--reset", options.reset,
                    "For tests: POST /reset, from this machine, deletes every entry");
  command->footer(
      "Example:\n  gluecat serve --data /var/lib/gluecat\n"
      "  AWS_ENDPOINT_URL_GLUE=http://127.0.0.1:4566 aws glue get-databases");
  return command;
}

Status RunServe(const server::ServeOptions& options) {
  const auto listening = [](const std::string& address) {
    std::cout << "listening on " << address << std::endl;  // flushed: scripts wait for the line
  };
  const auto reread = [](const Status& outcome) {
    std::cerr << (outcome ? std::string("the accounts file was read again")
                          : "the accounts stay as they were: " + outcome.error().message)
              << std::endl;
  };
  return server::Serve(options, SystemClock(), listening, reread);
}

}  // namespace gluecat::cli
